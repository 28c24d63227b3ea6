import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { followWorkspace } from '../live/workspace';
import { PageContext, type PageInfo } from '../ui/page-context';
import { ToastProvider } from '../ui/ToastProvider';
import { GlobalShortcuts } from './GlobalShortcuts';
import { OfflineBar } from './OfflineBar';
import { Rail } from './Rail';
import styles from './Shell.module.css';
import { StartLayer } from './StartLayer';
import { TopBar } from './TopBar';
import { usePendingCount } from './use-pending-count';
import { useWindowTitle } from './use-window-title';

/** What stands around every page for people who are signed in. */
export function Shell() {
  const { t } = useTranslation('shell');
  const queries = useQueryClient();
  const [page, setPage] = useState<PageInfo>({ title: '' });
  const announce = useCallback((info: PageInfo) => setPage(info), []);
  const pending = usePendingCount();
  useEffect(() => followWorkspace(queries), [queries]);
  useWindowTitle(page.title, pending);
  return (
    <PageContext value={announce}>
      <ToastProvider>
        <a className={styles.skip} href="#main">
          {t('skip')}
        </a>
        <div className={styles.shell}>
          <Rail pending={pending} />
          <TopBar page={page} />
          <main id="main" className={styles.main} tabIndex={-1}>
            <Outlet />
          </main>
        </div>
        <OfflineBar />
        <GlobalShortcuts />
        <StartLayer />
      </ToastProvider>
    </PageContext>
  );
}
