import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Path } from '../../../../model/definition';
import { sameJson } from '../../../../model/json';
import type { Field } from '../../../../model/schema-form';
import { TypedInput } from '../../../../ui/TypedInput';
import { useField } from '../context';
import { Place } from '../Place';
import { asLines, isLines, printOption, readOption } from './option-text';

interface OptionTextProps {
  field: Field;
  path: Path;
  /** The place around it says already what it is. */
  labelHidden?: boolean;
  bare?: boolean;
}

/** One option as text. What is no value of its type goes into the draft as it was written, and the server says so too. */
export function OptionText({ field, path, labelHidden, bare }: OptionTextProps) {
  const { t } = useTranslation(['ui', 'editor']);
  const { field: place, value, error, set } = useField(path);
  const [written, setWritten] = useState(() => ({ text: printOption(field, value), value }));
  if (!sameJson(written.value, value)) setWritten({ text: printOption(field, value), value });
  const lines = isLines(field, value);
  const parsed = readOption(field, written.text, lines);
  const change = (text: string) => {
    const result = readOption(field, text, lines);
    const next = result.ok ? result.value : (result.value ?? text);
    setWritten({ text, value: next });
    set(next);
  };
  return (
    <Place field={place}>
      <TypedInput
        field={lines ? asLines(field, t('editor:onePerLine')) : field}
        text={written.text}
        quiet
        labelHidden={labelHidden}
        bare={bare}
        error={parsed.ok || written.text === '' ? error : t(parsed.error.code, parsed.error.params)}
        onChange={change}
      />
    </Place>
  );
}
