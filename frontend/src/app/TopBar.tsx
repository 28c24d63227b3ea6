import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PageInfo } from '../ui/page-context';
import { ConnectionChip } from './ConnectionChip';
import { LanguageMenu, ThemeMenu, UserMenu } from './menus';
import styles from './Shell.module.css';

export function TopBar({ page }: { page: PageInfo }) {
  const { t } = useTranslation('shell');
  return (
    <header className={styles.bar}>
      <nav className={styles.crumbs} aria-label={t('breadcrumb')}>
        {(page.crumbs ?? []).map((crumb) => (
          <Fragment key={crumb.label}>
            <span className={styles.crumb}>{crumb.to ? <Link to={crumb.to}>{crumb.label}</Link> : crumb.label}</span>
            <span className={styles.crumb} aria-hidden="true">
              /
            </span>
          </Fragment>
        ))}
        <span className={styles.here} aria-current="page">
          {page.title}
        </span>
      </nav>
      <ConnectionChip />
      <LanguageMenu />
      <ThemeMenu />
      <UserMenu />
    </header>
  );
}
