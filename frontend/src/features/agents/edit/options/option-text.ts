import type { Json } from '../../../../api/types';
import { isObject } from '../../../../model/json';
import { type Field, type Parsed, parseText, printValue } from '../../../../model/schema-form';

/** A list of plain texts is written one below the other. */
export function isLines(field: Field, value: Json | undefined): boolean {
  const { items, type } = field.schema;
  const plain = type === 'array' && isObject(items) && items.type === 'string';
  return plain && (value === undefined || value === null || (Array.isArray(value) && value.every((each) => typeof each === 'string' && !each.includes('\n'))));
}

export function printOption(field: Field, value: Json | undefined): string {
  if (isLines(field, value)) return Array.isArray(value) ? value.join('\n') : '';
  // What could not be read is kept as it was written.
  const raw = typeof value === 'string' && field.type !== 'string' && field.type !== 'enum' && field.schema.type !== undefined;
  return raw ? value : printValue(field, value);
}

export function readOption(field: Field, text: string, lines: boolean): Parsed {
  if (text === '' && !field.required) return { ok: true, value: undefined };
  if (lines && !text.trimStart().startsWith('[')) return { ok: true, value: text.split('\n').filter((line) => line.trim() !== '') };
  return parseText(field, text);
}

/** The same field for a list that is written in lines: what holds by default is shown so too. */
export function asLines(field: Field, hint: string): Field {
  const { default: usual } = field.schema;
  const shown = Array.isArray(usual) ? usual.join('\n') : '';
  return { ...field, description: [field.description, hint].filter(Boolean).join(' · '), schema: { ...field.schema, default: shown } };
}
