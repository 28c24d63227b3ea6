import { GitBranch, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n';
import styles from './branch.module.css';
import type { Fate, Fates } from './effects';

/** In this order: what changes the world first. */
const ORDER: Fate[] = ['runs', 'may_ask', 'asks', 'recorded', 'stub', 'reads'];

interface SentenceProps {
  fates: Fates;
  model: string;
  costs: boolean;
}

/** One sentence that says which tools will really run, and what the model costs. It is always in view. */
export function BranchSentence({ fates, model, costs }: SentenceProps) {
  const { t } = useTranslation('branch');
  const names = new Intl.ListFormat(currentLanguage(), { type: 'conjunction' });
  const clauses = ORDER.flatMap((fate) => {
    const tools = fates[fate];
    return tools ? [t(`fate.${fate}`, { count: tools.length, tools: names.format(tools) })] : [];
  });
  const money = costs ? t('modelCosts', { model }) : t('modelFree');
  const changes = Boolean(fates.runs || fates.may_ask);
  return (
    <p className={changes ? styles.dangerous : styles.sentence} role="status">
      {changes ? <TriangleAlert size={16} aria-hidden="true" /> : <GitBranch size={16} aria-hidden="true" />}
      <span>{t('sentence', { clauses: [...clauses, money].join(t('separator')) })}</span>
    </p>
  );
}
