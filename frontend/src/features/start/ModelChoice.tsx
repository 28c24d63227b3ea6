import { Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Agent } from '../../api/types';
import { Select } from '../../ui/fields';
import styles from './start.module.css';

interface ModelChoiceProps {
  models: Agent['models'];
  value: string;
  onChange: (model: string) => void;
}

/** Which model answers, and in words whether that costs money. */
export function ModelChoice({ models, value, onChange }: ModelChoiceProps) {
  const { t } = useTranslation('start');
  const chosen = models.find((model) => model.name === value);
  const label = (model: Agent['models'][number]) => `${model.name} · ${model.costs ? t('costs') : t('free')}`;
  return (
    <div className={styles.model}>
      {models.length > 1 ? (
        <Select label={t('model')} mono value={value} onChange={onChange} options={models.map((model) => ({ value: model.name, label: label(model) }))} />
      ) : (
        <p>
          {t('model')}: <code>{value}</code>
        </p>
      )}
      {chosen?.costs ? (
        <p className={styles.costs} role="status">
          <Coins size={14} aria-hidden="true" />
          {t('costsWarning', { model: chosen.name })}
        </p>
      ) : (
        <p className={styles.note}>{value.startsWith('scripted:') ? t('freeHint') : t('freeOther', { model: value })}</p>
      )}
    </div>
  );
}
