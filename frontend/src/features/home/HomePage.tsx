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
import { useFirstSteps } from './use-first-steps';

/** What a person must do, then what is running, then what went wrong; for somebody new, three steps above it. */
export function HomePage() {
  const { t } = useTranslation('home');
  const newest = useInfiniteQuery(sessionListQuery({}));
  const sessions = newest.data?.pages[0]?.items;
  const fresh = sessions !== undefined && sessions.every((session) => session.imported);
  const steps = useFirstSteps(sessions);
  return (
    <Page
      title={t('title')}
      actions={
        <StartLink to="/?start=" variant={fresh ? 'default' : 'primary'}>
          {t('start')}
        </StartLink>
      }
    >
      {sessions && steps.open && <FirstRun recorded={sessions.filter((session) => session.imported)} steps={steps} />}
      <NeedsYou />
      <div className={styles.columns}>
        <ActiveNow />
        <RecentlyFailed />
      </div>
    </Page>
  );
}
