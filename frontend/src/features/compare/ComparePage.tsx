import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { compareQuery } from '../../api/sessions';
import type { Comparison } from '../../api/types';
import { Button } from '../../ui/Button';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { usePage } from '../../ui/page-context';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { Switch } from '../../ui/toggles';
import styles from './compare.module.css';
import { CompareList } from './CompareList';
import { PairDetail } from './PairDetail';
import { isDifference, nextDifference, openingRow } from './rows';
import { Sides } from './Sides';
import { Totals } from './Totals';

/** The chosen row and the fold, as the address says them. */
function useUrl(comparison: Comparison) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('row');
  const given = asked !== null && /^\d+$/.test(asked) ? Number(asked) : null;
  const row = given !== null && given < comparison.rows.length ? given : openingRow(comparison);
  const set = (name: 'row' | 'only', value: string | null) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return { row, only: search.get('only') !== 'all', select: (next: number) => set('row', String(next)), fold: (on: boolean) => set('only', on ? null : 'all') };
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation(['compare', 'shell', 'ui']);
  const navigate = useNavigate();
  const { a, b, rows } = comparison;
  const heading = usePage({ title: `${a.title} ⇄ ${b.title}`, crumbs: [{ label: t('shell:sessions'), to: '/sessions' }] });
  const { row, only, select, fold } = useUrl(comparison);
  const [opened] = useState(() => openingRow(comparison));
  const differences = rows.filter(isDifference).length;
  const jump = (step: 1 | -1) => rows.length > 0 && select(nextDifference(rows, row ?? -1, step));
  const walk = (step: 1 | -1) => rows.length > 0 && select(Math.min(Math.max((row ?? -1) + step, 0), rows.length - 1));
  const swap = () => void navigate(`/compare/${b.id}..${a.id}`, { replace: true });
  useShortcuts('list', [
    { keys: ['n'], label: t('next'), run: () => jump(1) },
    { keys: ['Shift+N'], label: t('previous'), run: () => jump(-1) },
    { keys: ['j', 'ArrowDown'], label: t('ui:walk.next'), run: () => walk(1) },
    { keys: ['k', 'ArrowUp'], label: t('ui:walk.previous'), run: () => walk(-1) },
  ]);
  const chosen = row === null ? null : rows[row];
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1} className={styles.hidden}>
          {t('title')}
        </h1>
        <Sides comparison={comparison} />
        <div className={styles.tools}>
          <span role="status">{t('differences', { count: differences })}</span>
          <Button kbd="N" icon={<ArrowDown size={14} />} disabledReason={differences === 0 ? t('none') : null} onClick={() => jump(1)}>
            {t('next')}
          </Button>
          <Button variant="quiet" kbd="⇧N" icon={<ArrowUp size={14} />} disabledReason={differences === 0 ? t('none') : null} onClick={() => jump(-1)}>
            {t('previous')}
          </Button>
          <Switch label={t('onlyDifferences')} checked={only} onChange={fold} />
          <Button variant="quiet" icon={<ArrowLeftRight size={14} />} onClick={swap}>
            {t('swap')}
          </Button>
        </div>
        <Totals comparison={comparison} />
      </header>
      <CompareList comparison={comparison} selected={row} first={opened} onlyDifferences={only} onSelect={select} />
      {chosen ? <PairDetail key={row} a={a.id} b={b.id} row={chosen} /> : <EmptyState title={t('same')} />}
    </div>
  );
}

/** Two sessions side by side, opened where they first act differently. */
export function ComparePage({ a, b }: { a: string; b: string }) {
  const { t } = useTranslation('compare');
  const query = useQuery(compareQuery(a, b));
  if (query.data) return <Compared comparison={query.data} />;
  return query.isError ? <ErrorState title={t('failed')} error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton rows={12} />;
}
