import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json, JsonObject, JsonSchema } from '../../../api/types';
import type { Path } from '../../../model/definition';
import { isObject, sameJson } from '../../../model/json';
import { type Field, fieldsOf, type Parsed, parseText, printValue } from '../../../model/schema-form';
import { Checkbox } from '../../../ui/toggles';
import { TypedInput } from '../../../ui/TypedInput';
import { useField } from './context';
import { Place } from './Place';
import styles from './editor.module.css';

/** The words that a list can hold, when its schema names them; null when it is another kind of value. */
function wordsOf(field: Field, value: Json | undefined): string[] | null {
  const { items, type } = field.schema;
  const words = type === 'array' && isObject(items) && Array.isArray(items.enum) ? items.enum.map(String) : null;
  const fits = value === undefined || (Array.isArray(value) && value.every((each) => words?.includes(String(each))));
  return words && fits ? words : null;
}

/** A list of plain texts is written one below the other. */
function isLines(field: Field, value: Json | undefined): boolean {
  const { items, type } = field.schema;
  const plain = type === 'array' && isObject(items) && items.type === 'string';
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

/** The same field for a list that is written in lines: what holds by default is shown so too. */
function asLines(field: Field, hint: string): Field {
  const { default: usual } = field.schema;
  const shown = Array.isArray(usual) ? usual.join('\n') : '';
  return { ...field, description: [field.description, hint].filter(Boolean).join(' · '), schema: { ...field.schema, default: shown } };
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
  const shape = lines ? asLines(field, t('editor:onePerLine')) : field;
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

/** A choice of words: as it comes until one is touched, and again when the same ones are chosen. */
function WordsField({ field, path, words }: { field: Field; path: Path; words: string[] }) {
  const { field: place, value, error, set } = useField(path);
  const { default: usual } = field.schema;
  const given = value ?? usual;
  const chosen = Array.isArray(given) ? given.map(String) : [];
  const toggle = (word: string, on: boolean) => {
    const next = words.filter((each) => (each === word ? on : chosen.includes(each)));
    set(sameJson(next, usual) ? undefined : next);
  };
  return (
    <Place field={place}>
      <fieldset className={styles.words} aria-label={field.name}>
        <legend>
          <code>{field.name}</code>
          {field.description && <span className={styles.note}>{field.description}</span>}
        </legend>
        {words.map((word) => (
          <Checkbox key={word} label={word} checked={chosen.includes(word)} onChange={(on) => toggle(word, on)} />
        ))}
      </fieldset>
      {error && <p className={styles.problem}>{error}</p>}
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
      {fields.map((field) => {
        const words = wordsOf(field, value[field.name]);
        const place = [...path, field.name];
        return words ? <WordsField key={field.name} field={field} path={place} words={words} /> : <OptionField key={field.name} field={field} path={place} />;
      })}
    </div>
  );
}
