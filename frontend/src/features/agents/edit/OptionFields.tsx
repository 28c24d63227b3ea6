import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json, JsonObject, JsonSchema } from '../../../api/types';
import type { Path } from '../../../model/definition';
import { isObject, sameJson } from '../../../model/json';
import { type Field, fieldsOf, type Parsed, parseText, printValue } from '../../../model/schema-form';
import { TypedInput } from '../../../ui/TypedInput';
import { useField } from './context';
import { Place } from './Place';
import styles from './editor.module.css';

/** A list of plain texts is written one below the other. */
function isLines(field: Field, value: Json | undefined): boolean {
  const { items, type } = field.schema;
  const plain = type === 'array' && isObject(items) && items.type === 'string' && !Array.isArray(items.enum);
  return plain && (value === undefined || value === null || (Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes('\n'))));
}

function print(field: Field, value: Json | undefined): string {
  if (isLines(field, value)) return Array.isArray(value) ? value.join('\n') : '';
  // What could not be read is kept as it was written.
  const raw = typeof value === 'string' && field.type !== 'string' && field.type !== 'enum' && field.schema.type !== undefined;
  return raw ? value : printValue(field, value);
}

function read(field: Field, text: string, lines: boolean): Parsed {
  if (text === '' && !field.required) return { ok: true, value: undefined };
  if (lines && !text.trimStart().startsWith('[')) return { ok: true, value: text.split('\n').filter((line) => line.trim() !== '') };
  return parseText(field, text);
}

/** One option. What is no value of its type goes into the draft as it was written, and the server says so too. */
function OptionField({ field, path }: { field: Field; path: Path }) {
  const { t } = useTranslation(['ui', 'editor']);
  const { field: place, value, error, set } = useField(path);
  const [written, setWritten] = useState(() => ({ text: print(field, value), value }));
  if (!sameJson(written.value, value)) setWritten({ text: print(field, value), value });
  const lines = isLines(field, value);
  const parsed = read(field, written.text, lines);
  const change = (text: string) => {
    const result = read(field, text, lines);
    const next = result.ok ? result.value : text;
    setWritten({ text, value: next });
    set(next);
  };
  const shape = lines ? { ...field, description: [field.description, t('editor:onePerLine')].filter(Boolean).join(' · ') } : field;
  return (
    <Place field={place}>
      <TypedInput
        field={shape}
        text={written.text}
        quiet
        error={parsed.ok || written.text === '' ? error : t(parsed.error.code, parsed.error.params)}
        onChange={change}
      />
    </Place>
  );
}

interface OptionFieldsProps {
  schema: JsonSchema | null;
  /** Where the options stand in the definition. */
  path: Path;
  value: JsonObject;
}

/** A form from a JSON Schema: the raw names and types, with what holds when nothing is written. */
export function OptionFields({ schema, path, value }: OptionFieldsProps) {
  const fields = fieldsOf(schema, value);
  if (fields.length === 0) return null;
  return (
    <div className={styles.options}>
      {fields.map((field) => (
        <OptionField key={field.name} field={field} path={[...path, field.name]} />
      ))}
    </div>
  );
}
