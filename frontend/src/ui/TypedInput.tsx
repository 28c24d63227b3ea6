import { useTranslation } from 'react-i18next';
import { parseJson, printJson } from '../model/json';
import type { Field } from '../model/schema-form';
import { Select, TextArea, TextField } from './fields';
import styles from './TypedForm.module.css';

interface TypedInputProps {
  field: Field;
  text: string;
  error: string | null;
  /** The page tells of its errors in one place. */
  quiet?: boolean;
  /** The place around it says already what it is. */
  labelHidden?: boolean;
  /** Its name is label enough: type and meaning are told nearby. */
  bare?: boolean;
  onChange: (text: string) => void;
}

/** What holds when nothing is written, as text; null when the schema does not say. */
function defaultOf({ schema }: Field): string | null {
  const value = schema.default;
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : printJson(value);
}

/** A value of a JSON Schema as text: a list to choose from, a line, or an area, with its raw name and type. */
export function TypedInput({ field, text, error, quiet, labelHidden, bare, onChange }: TypedInputProps) {
  const { t } = useTranslation('ui');
  const label = <span className={styles.name}>{field.name}</span>;
  const need = field.required ? t('required') : t('optional');
  const note = bare ? undefined : [field.typeName, need, field.description].filter(Boolean).join(' · ');
  const usual = defaultOf(field);
  const shared = { label, labelHidden, note, error, quiet, value: text, onChange, mono: true };
  if (field.type === 'enum' || field.type === 'boolean') {
    const values = field.type === 'boolean' ? ['true', 'false'] : field.options.map((option) => printJson(option));
    const options = values.map((value) => ({ value, label: field.type === 'boolean' ? value : String(parseJson(value)) }));
    // A list shows its first entry when it holds none: that nothing is chosen yet has to be an entry.
    const nothing = { value: '', label: usual === null ? '—' : t('byDefault', { value: usual }) };
    const given = field.required && text !== '' ? options : [nothing, ...options];
    return <Select {...shared} options={given} />;
  }
  if (field.type === 'json' || field.multiline) return <TextArea {...shared} rows={Math.min(12, text.split('\n').length + 1)} placeholder={usual ?? undefined} spellCheck={false} />;
  return <TextField {...shared} inputMode={field.type === 'integer' ? 'numeric' : undefined} placeholder={usual ?? undefined} spellCheck={false} autoComplete="off" />;
}
