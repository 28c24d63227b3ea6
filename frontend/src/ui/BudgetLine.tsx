import { useTranslation } from 'react-i18next';
import type { Budget } from '../model/budget';
import { formatCount, formatMoney } from './format';

/** How much of a limit is used, and what the next request needs, in a sentence or two. */
export function BudgetLine({ budget }: { budget: Budget }) {
  const { t } = useTranslation('common');
  const figure = (text: string) => (budget.what === 'max_cost' ? formatMoney(text) : formatCount(Number(text)));
  const used = `${budget.unpriced > 0 ? '≥ ' : ''}${figure(budget.used)}`;
  return (
    <>
      {t(`limit.${budget.what}`)} ({t(budget.per === 'session' ? 'limit.ofSession' : 'limit.ofRun')}): {t('limit.used', { used, limit: figure(budget.limit) })}
      {budget.unpriced > 0 && ` ${t('limit.unpriced', { count: budget.unpriced })}`}
      {budget.need !== null && budget.least !== null && ` ${t('limit.need', { need: figure(budget.need), least: figure(budget.least) })}`}
      {budget.unknownPrice && ` ${t('limit.unknownPrice')}`}
    </>
  );
}
