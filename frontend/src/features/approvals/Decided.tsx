import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { interruptListQuery } from '../../api/interrupts';
import type { Interrupt } from '../../api/types';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { useRowKeys } from '../../ui/use-row-keys';
import styles from './approvals.module.css';
import { InboxRow } from './InboxRow';

const DECIDED = 'decided,expired,cancelled';
const byTime = (a: Interrupt, b: Interrupt) => (b.decided_at ?? b.created_at).localeCompare(a.decided_at ?? a.created_at);

function Rows({ interrupts }: { interrupts: Interrupt[] }) {
  return interrupts.map((interrupt) => (
    <InboxRow key={interrupt.id} interrupt={interrupt} address={`/approvals/${interrupt.id}`} selected={false} inTurn={0} />
  ));
}

/** The last three decisions, under an empty inbox. */
export function LastDecided() {
  const { t } = useTranslation('approvals');
  const query = useQuery(interruptListQuery({ status: DECIDED }));
  const last = (query.data?.items ?? []).toSorted(byTime).slice(0, 3);
  if (last.length === 0) return null;
  return (
    <section aria-label={t('lastDecided')}>
      <h3>{t('lastDecided')}</h3>
      <ul>
        <Rows interrupts={last} />
      </ul>
    </section>
  );
}

/** Everything that is no longer open, newest first, with who decided. */
export function Decided() {
  const { t } = useTranslation('approvals');
  const list = useRef<HTMLUListElement>(null);
  const query = useQuery(interruptListQuery({ status: DECIDED }));
  useRowKeys(list, 'decided', query.isSuccess);
  const rows = (query.data?.items ?? []).toSorted(byTime);
  return (
    <div className={styles.decided}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={6} />}
      {query.isSuccess && rows.length === 0 && <EmptyState title={t('nothingDecided')} />}
      <ul ref={list}>
        <Rows interrupts={rows} />
      </ul>
    </div>
  );
}
