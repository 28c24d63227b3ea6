import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Interrupt, Json } from '../../api/types';
import { maximumFrom, readBudget } from '../../model/budget';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/fields';

interface BudgetFormProps {
  interrupt: Interrupt;
  value: Json | undefined;
  /** `undefined` while there is no valid maximum, null for none at all. */
  onChange: (value: Json | undefined) => void;
}

/** The new maximum of tokens or of money, or none at all. */
export function BudgetForm({ interrupt, value, onChange }: BudgetFormProps) {
  const { t } = useTranslation('approvals');
  const what = readBudget(interrupt.info)?.what ?? (interrupt.schema?.pattern ? 'max_cost' : 'max_tokens');
  const [text, setText] = useState('');
  const change = (next: string) => {
    setText(next);
    onChange(maximumFrom(next, what));
  };
  const none = () => {
    setText('');
    onChange(null);
  };
  const wrong = text !== '' && value === undefined;
  return (
    <>
      <TextField
        label={t(what === 'max_cost' ? 'budget.newCost' : 'budget.newTokens')}
        inputMode="decimal"
        value={text}
        onChange={change}
        error={wrong ? t('budget.notANumber') : null}
      />
      <div>
        <Button variant="quiet" aria-pressed={value === null} onClick={none}>
          {t('budget.none')}
        </Button>
      </div>
    </>
  );
}
