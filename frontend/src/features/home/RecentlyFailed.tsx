import { useInfiniteQuery } from '@tanstack/react-query';
import { Rewind } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { sessionListQuery } from '../../api/sessions';
import type { Session } from '../../api/types';
import { BranchMark } from '../../ui/BranchMark';
import { ButtonLink } from '../../ui/Button';
import { Time } from '../../ui/figures';
import { Section } from '../../ui/page';
import { PlainText } from '../../ui/PlainText';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import styles from './home.module.css';

const SHOWN = 8;

/** The session with the playhead on the event that says how it failed. */
function replayAddress(session: Session): string {
  const seq = session.error?.seq ?? session.last?.seq ?? session.head_seq;
  return `/s/${session.id}?at=${seq}&e=${seq}`;
}

export function RecentlyFailed() {
  const { t } = useTranslation('home');
  const query = useInfiniteQuery(sessionListQuery({ status: 'failed' }, SHOWN));
  const rows = query.data?.pages[0]?.items ?? [];
  return (
    <Section title={t('failed')} aside={<Link to="/sessions?status=failed">{t('all')}</Link>}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={3} />}
      {query.isSuccess && rows.length === 0 && <EmptyState title={t('nothingFailed')} />}
      <ul>
        {rows.slice(0, SHOWN).map((session) => (
          <li key={session.id} className={styles.row}>
            <div className={styles.what}>
              <span>
                <Link to={`/s/${session.id}`}><PlainText>{session.title}</PlainText></Link> <BranchMark session={session} />
              </span>
              <span className={styles.line}>
                <PlainText>{session.error?.message ?? session.last?.label ?? ''}</PlainText>
              </span>
            </div>
            <span className={styles.muted}>
              <Time at={session.ended_at ?? session.updated_at} />
            </span>
            <ButtonLink to={replayAddress(session)} icon={<Rewind size={14} />}>
              {t('replayAtError')}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}
