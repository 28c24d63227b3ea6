import type { Json, JsonObject, JsonSchema } from '../api/types';
import { isObject } from './json';
import { type Field, fieldsOf, resolve } from './schema-form';

/**
 * The form that suits the values of a field: words to choose from, lines of text, rows of a list of objects, pairs of
 * a name and a value, an object's own fields, any value at all, or one input.
 */
export type Shape =
  | { kind: 'words'; words: string[] }
  | { kind: 'lines' }
  | { kind: 'rows' | 'pairs' | 'group'; item: JsonSchema }
  | { kind: 'any' }
  | { kind: 'plain' };

/** A schema inside another one, which brings along the definitions that it refers to. */
function inner(raw: Json | undefined, root: JsonSchema): JsonSchema | null {
  if (!isObject(raw)) return null;
  const schema = resolve(raw, root);
  return root.$defs === undefined ? schema : { ...schema, $defs: root.$defs };
}

const ONE_LINE = new Set(['string', 'integer', 'number']);

function ofList(items: JsonSchema | null): Shape {
  if (items && isObject(items.properties)) return { kind: 'rows', item: items };
  if (Array.isArray(items?.enum)) return { kind: 'words', words: items.enum.map(String) };
  return items?.type === 'string' ? { kind: 'lines' } : { kind: 'plain' };
}

/** What the members of an object without fields of its own are: `{"web_search": 3}`. */
function ofMembers(schema: JsonSchema, root: JsonSchema): Shape {
  const patterned = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : [];
  const item = inner(patterned.length === 1 ? patterned[0] : schema.additionalProperties, root);
  return item && ONE_LINE.has(String(item.type)) ? { kind: 'pairs', item } : { kind: 'plain' };
}

export function shapeOf({ schema, type }: Field, root: JsonSchema): Shape {
  if (type === 'enum') return { kind: 'plain' };
  if (schema.type === 'array') return ofList(inner(schema.items, root));
  if (schema.type === 'object') return isObject(schema.properties) ? { kind: 'group', item: { ...schema, $defs: root.$defs ?? {} } } : ofMembers(schema, root);
  const said = schema.type ?? schema.anyOf ?? schema.oneOf ?? schema.const;
  return said === undefined ? { kind: 'any' } : { kind: 'plain' };
}

const isText = (value: Json): boolean => typeof value === 'string' && !value.includes('\n');
const isOneLine = (value: Json): boolean => value !== null && typeof value !== 'boolean' && !Array.isArray(value) && !isObject(value);

/** Whether a value can stand in its form; what cannot is shown as JSON. */
export function fitsShape(shape: Shape, value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (shape.kind === 'words') return Array.isArray(value) && value.every((each) => shape.words.includes(String(each)));
  if (shape.kind === 'lines') return Array.isArray(value) && value.every(isText);
  if (shape.kind === 'rows') return Array.isArray(value) && value.every(isObject);
  if (shape.kind === 'pairs') return isObject(value) && Object.values(value).every(isOneLine);
  return shape.kind !== 'group' || isObject(value);
}

/** Whether the fields of an item are so few and so short that they stand in one line. */
export function isFlat(item: JsonSchema): boolean {
  const fields = fieldsOf(item, {});
  return fields.length <= 3 && fields.every((field) => ['plain', 'any'].includes(shapeOf(field, item).kind) && field.schema.type !== 'object');
}

/** An item in a few words: what its fields say, in the order of its schema. */
export function itemWords(item: JsonSchema, value: JsonObject): string {
  const words = fieldsOf(item, value).map(({ name }) => value[name]);
  return words.filter((each) => each !== undefined && each !== '' && isOneLine(each)).join(' · ');
}
