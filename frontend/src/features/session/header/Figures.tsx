import { useTranslation } from 'react-i18next';
import { formatCount, formatDuration, formatMoney } from '../../../ui/format';
import { useLogVersion, usePlayhead, useSessionScope } from '../context';
import { useTotals } from '../use-state-word';
import styles from './SessionHeader.module.css';

interface FiguresProps {
  showCost?: boolean;
  /** The first event of a branch's own: what it shares with its parent is not counted as its. */
  since?: number | null;
}

/** Events, time, tokens and money: as of the playhead, and it says so when that is not the end. */
export function Figures({ showCost = true, since = null }: FiguresProps) {
  const { t } = useTranslation(['session', 'common']);
  const { source } = useSessionScope();
  useLogVersion();
  const shown = usePlayhead((state) => state.shown);
  const live = usePlayhead((state) => state.live);
  const totals = useTotals(shown, since ?? undefined);
  const count = since === null ? source.headers.count : Math.max(0, source.headers.last - since + 1);
  /** Before the first answer there is nothing to tell; after it, what is not known is told as such. */
  const answered = totals.tokensIn !== null || totals.tokensOut !== null;
  const tokens = formatCount((totals.tokensIn ?? 0) + (totals.tokensOut ?? 0));
  const cost = formatMoney(totals.cost === null ? null : String(totals.cost));
  return (
    <div className={styles.figures}>
      {!live && <span className={styles.asOf}>{t('asOf', { seq: formatCount(shown), state: t(`common:status.${totals.status}`) })}</span>}
      <span>{t(since === null ? 'eventCount' : 'ownEvents', { count, shown: formatCount(count) })}</span>
      <span>{formatDuration(totals.elapsed)}</span>
      {answered && <span>{t('tokens', { value: tokens })}</span>}
      {showCost && (answered || totals.cost !== null) && <span title={totals.costPartial ? t('costPartial') : undefined}>{totals.costPartial && totals.cost !== null ? `≥ ${cost}` : cost}</span>}
    </div>
  );
}
