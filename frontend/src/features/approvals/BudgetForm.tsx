import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Interrupt, Json } from '../../api/types';
import { isTooLittle, maximumFrom, readBudget } from '../../model/budget';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/fields';
import { formatCount, formatMoney } from '../../ui/format';

interface BudgetFormProps {
  interrupt: Interrupt;
  value: Json | undefined;
  /** `undefined` while there is no valid maximum, null for none at all. */
  onChange: (value: Json | undefined) => void;
}

/** The new maximum of tokens or of money, or none at all. */
export function BudgetForm({ interrupt, value, onChange }: BudgetFormProps) {
  const { t } = useTranslation('approvals');
  const budget = readBudget(interrupt.info);
  const what = budget?.what ?? (interrupt.schema?.pattern ? 'max_cost' : 'max_tokens');
  const [text, setText] = useState('');
  const least = budget?.least ?? null;
  const tooLittle = isTooLittle(text.trim(), least);
  const change = (next: string) => {
    setText(next);
    onChange(isTooLittle(next.trim(), least) ? undefined : maximumFrom(next, what));
  };
  const shown = least === null ? '' : what === 'max_cost' ? formatMoney(least) : formatCount(Number(least));
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
        note={least !== null && t('budget.least', { least: shown })}
        error={!wrong ? null : tooLittle ? t('budget.tooLittle', { least: shown }) : t(what === 'max_cost' ? 'budget.notANumber' : 'budget.notACount')}
      />
      <div>
        <Button variant="quiet" aria-pressed={value === null} onClick={none}>
          {t('budget.none')}
        </Button>
      </div>
    </>
  );
}
