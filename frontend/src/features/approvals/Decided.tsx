import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { interruptPagesQuery } from '../../api/interrupts';
import type { Interrupt } from '../../api/types';
import { Button } from '../../ui/Button';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { useRowKeys } from '../../ui/use-row-keys';
import styles from './approvals.module.css';
import { InboxRow } from './InboxRow';

const byTime = (a: Interrupt, b: Interrupt) => (b.decided_at ?? b.created_at).localeCompare(a.decided_at ?? a.created_at);

/** Questions that are no longer open, of the pages read so far, the newest decision first. */
function useSettled() {
  const query = useInfiniteQuery(interruptPagesQuery());
  const all = query.data?.pages.flatMap((page) => page.items) ?? [];
  return { query, rows: all.filter((interrupt) => interrupt.status !== 'pending').toSorted(byTime) };
}

function Rows({ interrupts }: { interrupts: Interrupt[] }) {
  return interrupts.map((interrupt) => (
    <InboxRow key={interrupt.id} interrupt={interrupt} address={`/approvals/${interrupt.id}`} selected={false} inTurn={0} />
  ));
}

/** The last three decisions, under an empty inbox. */
export function LastDecided() {
  const { t } = useTranslation('approvals');
  const { rows } = useSettled();
  const last = rows.slice(0, 3);
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
  const { query, rows } = useSettled();
  useRowKeys(list, 'decided', query.isSuccess);
  return (
    <div className={styles.decided}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={6} />}
      {query.isSuccess && rows.length === 0 && !query.hasNextPage && <EmptyState title={t('nothingDecided')} />}
      <ul ref={list}>
        <Rows interrupts={rows} />
      </ul>
      {query.hasNextPage && (
        <p className={styles.after}>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('older')}
          </Button>
        </p>
      )}
    </div>
  );
}
