import { useTranslation } from 'react-i18next';
import type { LogEvent } from '../../../api/types';
import { type LimitName, readBudget } from '../../../model/budget';
import { isNumber } from '../../../model/json';
import { BudgetLine } from '../../../ui/BudgetLine';
import { formatCount, formatMoney } from '../../../ui/format';
import { usePlayhead } from '../context';
import { useTotals } from '../use-state-word';
import { objectIn } from './payload';
import { Part } from './parts';
import styles from './inspector.module.css';

const ROWS: [name: string, word: LimitName, per: 'ofRun' | 'ofSession'][] = [
  ['max_model_calls', 'max_model_calls', 'ofRun'],
  ['session_model_calls', 'max_model_calls', 'ofSession'],
  ['max_tool_calls', 'max_tool_calls', 'ofRun'],
  ['session_tool_calls', 'max_tool_calls', 'ofSession'],
  ['max_tokens', 'max_tokens', 'ofRun'],
  ['session_tokens', 'max_tokens', 'ofSession'],
  ['max_cost', 'max_cost', 'ofRun'],
  ['session_cost', 'max_cost', 'ofSession'],
];

/** The limits that the session was started with, and what it has spent up to the playhead. */
function Started({ event }: { event: LogEvent }) {
  const { t } = useTranslation(['session', 'common']);
  const limits = objectIn(event.payload, 'limits');
  const spent = useTotals(usePlayhead((state) => state.shown));
  const shown = ROWS.flatMap(([name, word, per]) => {
    const value = limits?.[name];
    if (typeof value !== 'string' && !isNumber(value)) return [];
    const limit = word === 'max_cost' ? formatMoney(String(value)) : formatCount(Number(value));
    return [{ name, text: `${t(`common:limit.${word}`)} (${t(`common:limit.${per}`)}): ${limit}` }];
  });
  if (shown.length === 0) return null;
  const tokens = formatCount((spent.tokensIn ?? 0) + (spent.tokensOut ?? 0));
  const cost = spent.cost === null ? '—' : `${spent.costPartial ? '≥ ' : ''}${formatMoney(String(spent.cost))}`;
  return (
    <Part label={t('fact.limits')}>
      <ul>
        {shown.map((row) => (
          <li key={row.name}>{row.text}</li>
        ))}
      </ul>
      <p>{t('spentSoFar', { tokens, cost })}</p>
    </Part>
  );
}

/** What an event says about limits: those of the session, or the one that is reached. */
export function LimitsPart({ event }: { event: LogEvent }) {
  const { t } = useTranslation('session');
  if (event.event_type === 'session_start') return <Started event={event} />;
  const budget = readBudget(event.event_type === 'interrupt' ? event.payload?.info : event.payload);
  if (!budget) return null;
  return (
    <Part label={t('fact.limits')}>
      <div className={styles.block}>
        <BudgetLine budget={budget} />
      </div>
    </Part>
  );
}
