import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { sessionListQuery } from '../../api/sessions';
import { useAgentLabel } from '../../api/use-agent-label';
import { useMe } from '../../api/use-me';
import { StatusBadge } from '../../ui/badges';
import { BranchMark } from '../../ui/BranchMark';
import { Money, Seq } from '../../ui/figures';
import { Section } from '../../ui/page';
import { PlainText } from '../../ui/PlainText';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import styles from './home.module.css';

const ACTIVE = 'queued,running,waiting,paused';
const SHOWN = 8;
/** Read at once, so that enough is left when those that wait for the reader are left out. */
const READ = 50;

/** Sessions that go on: running, or held by something. What waits for the reader stands above, once. */
export function ActiveNow() {
  const { t } = useTranslation('home');
  const query = useInfiniteQuery(sessionListQuery({ status: ACTIVE }, READ));
  const { can } = useMe();
  const label = useAgentLabel();
  const all = query.data?.pages[0]?.items ?? [];
  const rows = can.approve ? all.filter((session) => session.waiting_for !== 'person' && session.waiting_for !== 'budget') : all;
  return (
    <Section title={t('running')} aside={<Link to={`/sessions?status=${ACTIVE}`}>{t('all')}</Link>}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={3} />}
      {query.isSuccess && rows.length === 0 && <EmptyState title={t('nothingRuns')} />}
      <ul>
        {rows.slice(0, SHOWN).map((session) => (
          <li key={session.id} className={styles.row}>
            <div className={styles.what}>
              <span>
                <Link to={`/s/${session.id}`}><PlainText>{session.title}</PlainText></Link> <BranchMark session={session} />
              </span>
              <span className={styles.line}>
                {label(session.agent, session.agent_name)}
                {session.last && (
                  <>
                    {' · '}
                    <PlainText>{session.last.label}</PlainText>
                  </>
                )}
              </span>
            </div>
            <StatusBadge status={session.status} waitingFor={session.waiting_for} lost={session.lost} mine={can.approve} plain />
            <span className={styles.figures}>
              <Seq value={session.head_seq} />
              <Money amount={session.cost} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
