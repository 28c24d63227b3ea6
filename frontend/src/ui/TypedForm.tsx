import { RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json, JsonObject, JsonSchema } from '../api/types';
import { type Field, type FieldError, fieldsOf, parseText, printValue } from '../model/schema-form';
import { printJson, sameJson } from '../model/json';
import { Button } from './Button';
import styles from './TypedForm.module.css';
import { TypedInput } from './TypedInput';

export interface FormState {
  /** The typed value, or null while some field is not valid. */
  value: JsonObject | null;
  /** Names of the fields that differ from the original. */
  changed: string[];
}

/** Reads every field; what is left out stays out. */
function evaluate(fields: Field[], texts: Record<string, string>, original: JsonObject) {
  const value: JsonObject = {};
  const errors: Record<string, FieldError> = {};
  const changed: string[] = [];
  for (const field of fields) {
    const untouched = texts[field.name] === printValue(field, original[field.name]);
    const parsed = untouched ? { ok: true as const, value: original[field.name] } : parseText(field, texts[field.name] ?? '');
    if (!parsed.ok) errors[field.name] = parsed.error;
    else if (parsed.value !== undefined) value[field.name] = parsed.value;
    if (!parsed.ok || !sameJson(parsed.value, original[field.name])) changed.push(field.name);
  }
  const state: FormState = { value: Object.keys(errors).length > 0 ? null : value, changed };
  return { state, errors };
}

interface TypedFormProps {
  schema: JsonSchema | null;
  original: JsonObject;
  onChange: (state: FormState) => void;
  /** What the server said against a field, by its name; shown until the field is changed again. */
  refused?: Record<string, string>;
}

/**
 * Edits an object by the JSON Schema of its tool, with the raw names and types. A field that nobody touches
 * keeps its value exactly; a changed one shows what it was, and can be set back.
 */
export function TypedForm({ schema, original, onChange, refused = {} }: TypedFormProps) {
  const { t } = useTranslation('ui');
  const fields = useMemo(() => fieldsOf(schema, original), [schema, original]);
  const printed = useMemo(
    () => Object.fromEntries(fields.map((field) => [field.name, printValue(field, original[field.name])])),
    [fields, original],
  );
  const [texts, setTexts] = useState(printed);
  const { state, errors } = evaluate(fields, texts, original);
  const change = (name: string, text: string) => {
    const next = { ...texts, [name]: text };
    setTexts(next);
    onChange(evaluate(fields, next, original).state);
  };
  const message = (error: FieldError | undefined) => (error ? t(error.code, error.params) : null);
  return (
    <div className={styles.form}>
      {fields.map((field) => (
        <div key={field.name} className={styles.field}>
          <TypedInput
            field={field}
            text={texts[field.name] ?? ''}
            error={message(errors[field.name]) ?? refused?.[field.name] ?? null}
            onChange={(text) => change(field.name, text)}
          />
          {state.changed.includes(field.name) && (
            <span className={styles.was}>
              <code>{shortJson(original[field.name])}</code>
              <Button variant="quiet" icon={<RotateCcw size={13} />} onClick={() => change(field.name, printed[field.name] ?? '')}>
                {t('reset')}
              </Button>
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

const shortJson = (value: Json | undefined): string => {
  const text = value === undefined ? '—' : printJson(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};
