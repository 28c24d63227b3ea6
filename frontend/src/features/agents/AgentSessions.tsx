import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { sessionListQuery } from '../../api/sessions';
import type { Session } from '../../api/types';
import { useMe } from '../../api/use-me';
import { StatusBadge } from '../../ui/badges';
import { BranchMark } from '../../ui/BranchMark';
import { Money, Time } from '../../ui/figures';
import { Section } from '../../ui/page';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { type Column, Table } from '../../ui/Table';
import styles from './agents.module.css';

const SHOWN = 5;

function Title({ session }: { session: Session }) {
  return (
    <>
      <Link to={`/s/${session.id}`}>{session.title}</Link> <BranchMark session={session} />
    </>
  );
}

function useColumns(): Column<Session>[] {
  const { t } = useTranslation('agents');
  const { can } = useMe();
  return [
    { key: 'status', header: t('status'), cell: (session) => <StatusBadge status={session.status} waitingFor={session.waiting_for} lost={session.lost} mine={can.approve} /> },
    { key: 'title', header: t('sessionTitle'), cell: (session) => <Title session={session} /> },
    { key: 'version', header: t('version'), align: 'end', cell: (session) => `v${session.version}` },
    { key: 'cost', header: t('cost'), align: 'end', wideOnly: true, cell: (session) => <Money amount={session.cost} /> },
    { key: 'updated', header: t('updated'), align: 'end', cell: (session) => <Time at={session.updated_at} /> },
  ];
}

/** The newest sessions of an agent, and the way to all of them. */
export function AgentSessions({ slug, total }: { slug: string; total: number }) {
  const { t } = useTranslation('agents');
  const columns = useColumns();
  const query = useInfiniteQuery(sessionListQuery({ agent: slug }, SHOWN));
  const rows = query.data?.pages[0]?.items ?? [];
  return (
    <Section title={t('sessions')}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={SHOWN} />}
      {query.isSuccess && rows.length === 0 && <EmptyState title={t('noSessions')} />}
      {rows.length > 0 && (
        <Table
          label={t('sessions')}
          rows={rows}
          rowKey={(session) => session.id}
          columns={columns}
          stack
        />
      )}
      {total > SHOWN && (
        <p className={styles.more}>
          <Link to={`/sessions?agent=${slug}`}>{t('allSessions', { count: total })}</Link>
        </p>
      )}
    </Section>
  );
}
