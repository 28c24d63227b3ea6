import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { interruptListQuery } from '../../api/interrupts';
import type { Interrupt } from '../../api/types';
import { Button } from '../../ui/Button';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { useToast } from '../../ui/toast-context';
import { useMedia } from '../../ui/use-media';
import { useStableRows } from '../../ui/use-stable-rows';
import styles from './approvals.module.css';
import { sessionAddress } from './CardHead';
import { doneWord } from './choices';
import { InboxRow } from './InboxRow';
import { LastDecided } from './Decided';
import { orderPending, turnOf } from './turns';
import { WholeCard } from './WholeCard';

const idOf = (interrupt: Interrupt) => interrupt.id;

function useSelection(rows: Interrupt[]) {
  const [search, setSearch] = useSearchParams();
  // Without a choice in the address the first row is open, and stays open when it is decided elsewhere.
  const [first, setFirst] = useState<string | null>(null);
  if (first === null && rows[0]) setFirst(rows[0].id);
  const selected = search.get('sel') ?? first;
  const select = (id: string | null) => {
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (id) next.set('sel', id);
        else next.delete('sel');
        return next;
      },
      { replace: true },
    );
  };
  return { selected, select };
}

/** The list, in an order that never moves by itself, and beside it the question that is chosen. */
export function Inbox() {
  const { t } = useTranslation(['approvals', 'ui']);
  const navigate = useNavigate();
  const toast = useToast();
  const narrow = useMedia('(max-width: 900px)');
  const list = useRef<HTMLUListElement>(null);
  const query = useQuery(interruptListQuery({ status: 'pending' }));
  const ordered = orderPending(query.data?.items ?? []);
  const { shown, arrived, stale, refresh } = useStableRows(ordered, idOf, true);
  const { selected, select } = useSelection(shown);
  const walk = (step: number, from = selected) => {
    const at = shown.findIndex((each) => each.id === from);
    const next = shown[Math.min(Math.max(at + step, 0), shown.length - 1)];
    if (!next) return;
    if (!narrow) select(next.id);
    list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(next.id)}"]`)?.focus();
  };
  const onDecided = (done: Interrupt) => {
    toast({ text: t(`told.${doneWord(done)}`, { tool: done.tool ?? '' }) });
    const at = shown.findIndex((each) => each.id === done.id);
    const next = shown[at + 1] ?? shown[at - 1];
    select(next?.id ?? null);
    if (next) list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(next.id)}"]`)?.focus();
  };
  const current = shown.find((each) => each.id === selected);
  useShortcuts('approvals', [
    { keys: ['j', 'ArrowDown'], label: t('ui:walk.next'), run: () => walk(1) },
    { keys: ['k', 'ArrowUp'], label: t('ui:walk.previous'), run: () => walk(-1) },
    { keys: ['n'], label: t('nextPending'), run: () => walk(1) },
    { keys: ['o'], label: t('open'), run: () => void (current && navigate(sessionAddress(current))) },
  ]);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Skeleton rows={6} />;
  const alone = selected !== null && !current;
  return (
    <div className={styles.panes}>
      <div className={styles.list}>
        {stale && (
          <Button variant="quiet" icon={<RotateCw size={14} />} onClick={refresh}>
            {arrived > 0 ? t('arrived', { count: arrived }) : t('orderChanged')}
          </Button>
        )}
        {shown.length === 0 && (
          <EmptyState title={t('nothingWaits')}>
            <p>{t('nothingWaitsHint')}</p>
            <LastDecided />
          </EmptyState>
        )}
        <ul ref={list}>
          {shown.map((interrupt) => (
            <InboxRow
              key={interrupt.id}
              interrupt={interrupt}
              selected={!narrow && interrupt.id === selected}
              address={narrow ? `/approvals/${interrupt.id}` : `?sel=${interrupt.id}`}
              inTurn={shown.filter((each) => turnOf(each) !== null && turnOf(each) === turnOf(interrupt)).length}
            />
          ))}
        </ul>
      </div>
      {selected && (!narrow || alone) && <WholeCard key={selected} id={selected} listed={current} onDecided={onDecided} />}
    </div>
  );
}
