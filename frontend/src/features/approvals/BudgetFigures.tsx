import { useTranslation } from 'react-i18next';
import type { Budget } from '../../model/budget';
import { formatCount, formatMoney } from '../../ui/format';
import styles from './approvals.module.css';

/** The sum that does not come out: what is used, what this request would reserve, what is allowed. */
export function BudgetFigures({ budget }: { budget: Budget }) {
  const { t } = useTranslation(['approvals', 'common']);
  const figure = (text: string) => (budget.what === 'max_cost' ? formatMoney(text) : formatCount(Number(text)));
  const used = `${budget.unpriced > 0 ? '≥ ' : ''}${figure(budget.used)}`;
  const lines: [string, string][] = [[t('budget.used'), used]];
  if (budget.need !== null) lines.push([t('budget.need'), `+ ${figure(budget.need)}`]);
  if (budget.least !== null) lines.push([t('budget.together'), `= ${figure(budget.least)}`]);
  lines.push([t('budget.limit'), figure(budget.limit)]);
  return (
    <div className={styles.sum}>
      <table>
        <caption>
          {t(`common:limit.${budget.what}`)} ({t(budget.per === 'session' ? 'common:limit.ofSession' : 'common:limit.ofRun')})
        </caption>
        <tbody>
          {lines.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {budget.unpriced > 0 && <p className={styles.muted}>{t('common:limit.unpriced', { count: budget.unpriced })}</p>}
    </div>
  );
}
