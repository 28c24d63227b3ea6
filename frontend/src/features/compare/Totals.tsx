import { useTranslation } from 'react-i18next';
import type { Comparison } from '../../api/types';
import { formatCount, formatDuration, formatMoney, UNKNOWN } from '../../ui/format';
import styles from './compare.module.css';
import { percent } from './rows';

function Pair({ name, a, b, change }: { name: string; a: string; b: string; change?: number | null }) {
  return (
    <div className={styles.total}>
      <dt>{name}</dt>
      <dd>
        {a === b ? a : `${a} → ${b}`}
        {change !== undefined && change !== null && change !== 0 && ` (${change > 0 ? '+' : '−'}${Math.abs(change)} %)`}
      </dd>
    </div>
  );
}

const money = (amount: string | null) => (amount === null ? null : Number(amount));
const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

/** What each side took after the fork, and how it ended. */
export function Totals({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation(['compare', 'common']);
  const { a, b } = comparison.totals;
  const [tokensA, tokensB] = [sum(a.input, a.output), sum(b.input, b.output)];
  const outcome = (status: Comparison['a']['status']) => t(`common:status.${status}`);
  return (
    <dl className={styles.totals} aria-label={t('totals')}>
      <Pair name={t('outcome')} a={outcome(comparison.a.status)} b={outcome(comparison.b.status)} />
      <Pair name={t('models')} a={formatCount(a.model_calls)} b={formatCount(b.model_calls)} />
      <Pair name={t('tools')} a={formatCount(a.tool_calls)} b={formatCount(b.tool_calls)} />
      <Pair name={t('tokens')} a={formatCount(tokensA)} b={formatCount(tokensB)} change={percent(tokensA, tokensB)} />
      <Pair name={t('cost')} a={a.cost === null ? UNKNOWN : formatMoney(a.cost)} b={b.cost === null ? UNKNOWN : formatMoney(b.cost)} change={percent(money(a.cost), money(b.cost))} />
      <Pair name={t('time')} a={formatDuration(a.ms)} b={formatDuration(b.ms)} />
    </dl>
  );
}
