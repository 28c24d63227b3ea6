import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionListQuery } from '../../api/sessions';
import { Page } from '../../ui/page';
import { StartLink } from '../../ui/StartLink';
import { ActiveNow } from './ActiveNow';
import { FirstRun } from './FirstRun';
import styles from './home.module.css';
import { NeedsYou } from './NeedsYou';
import { RecentlyFailed } from './RecentlyFailed';

/** What a person must do, then what is running, then what went wrong; before the first session, three steps. */
export function HomePage() {
  const { t } = useTranslation('home');
  const newest = useInfiniteQuery(sessionListQuery({}));
  const sessions = newest.data?.pages[0]?.items;
  const fresh = sessions !== undefined && sessions.every((session) => session.imported);
  return (
    <Page
      title={t('title')}
      actions={
        <StartLink to="/?start=" variant={fresh ? 'default' : 'primary'}>
          {t('start')}
        </StartLink>
      }
    >
      {fresh && <FirstRun recorded={sessions} />}
      <NeedsYou />
      <div className={styles.columns}>
        <ActiveNow />
        <RecentlyFailed />
      </div>
    </Page>
  );
}
