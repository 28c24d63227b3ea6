import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { plainText } from '../model/hidden-text';
import type { PageInfo } from '../ui/page-context';
import { useMe } from '../api/use-me';
import { ConnectionChip } from './ConnectionChip';
import { LanguageMenu, ThemeMenu, UserMenu } from './menus';
import styles from './Shell.module.css';

function Slash() {
  return (
    <span className={styles.crumb} aria-hidden="true">
      /
    </span>
  );
}

export function TopBar({ page }: { page: PageInfo }) {
  const { t } = useTranslation('shell');
  const { workspace } = useMe();
  const alone = page.titleInPage && !page.crumbs?.length;
  return (
    <header className={styles.bar}>
      <nav className={styles.crumbs} aria-label={t('breadcrumb')}>
        {(page.crumbs ?? []).map((crumb, index) => (
          <Fragment key={crumb.label}>
            {index > 0 && <Slash />}
            <span className={styles.crumb}>{crumb.to ? <Link to={crumb.to}>{crumb.label}</Link> : crumb.label}</span>
          </Fragment>
        ))}
        {alone && <span className={styles.crumb}>{workspace.name}</span>}
        {!page.titleInPage && (
          <>
            {page.crumbs?.length ? <Slash /> : null}
            <span className={styles.here} aria-current="page">
              {plainText(page.title)}
            </span>
          </>
        )}
      </nav>
      <ConnectionChip />
      <LanguageMenu />
      <ThemeMenu />
      <UserMenu />
    </header>
  );
}
