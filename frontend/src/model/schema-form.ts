import type { Json, JsonObject, JsonSchema } from '../api/types';
import { compareNumbers, ExactNumber, isNumber, isObject, isWhole, numberFrom, parseJson, printJson } from './json';

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'json';

export interface Field {
  name: string;
  type: FieldType;
  /** The type as the schema says it, for the reader. */
  typeName: string;
  required: boolean;
  nullable: boolean;
  options: Json[];
  description: string | null;
  multiline: boolean;
  schema: JsonSchema;
}

/** Why a text is no value of the field: the key of a message, and what it needs. */
export interface FieldError {
  code: 'notInteger' | 'notNumber' | 'notJson' | 'wrongType' | 'missing' | 'tooSmall' | 'tooLarge' | 'tooShort' | 'tooLong' | 'noMatch' | 'unlike';
  params: Record<string, string | number>;
}

/** A number out of its bounds is a number all the same: `value` is what was written, where it could be read. */
export type Parsed = { ok: true; value: Json | undefined } | { ok: false; error: FieldError; value?: Json };

const fail = (code: FieldError['code'], params: FieldError['params'] = {}, value?: Json): Parsed => ({ ok: false, error: { code, params }, value });

export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const found = name && isObject(root.$defs) ? root.$defs[name] : undefined;
  if (!isObject(found)) return schema;
  const { $ref: _ref, ...own } = schema;
  return { ...found, ...own };
}

/** Takes "X or null" apart, the way an optional value is written in a schema. */
function withoutNull(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    const only = types.length === 1 ? (types[0] ?? null) : types;
    return { schema: { ...schema, type: only }, nullable: types.length < schema.type.length };
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(choices)) return { schema, nullable: false };
  const real = choices.filter((choice) => isObject(choice) && choice.type !== 'null') as JsonSchema[];
  const nullable = real.length < choices.length;
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  return real.length === 1 && real[0] ? { schema: { ...resolve(real[0], root), ...rest }, nullable } : { schema, nullable };
}

function typeOf(schema: JsonSchema, value: Json | undefined): FieldType {
  if (Array.isArray(schema.enum)) return 'enum';
  if (schema.type === 'string' || schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') return schema.type;
  if (schema.type !== undefined || schema.anyOf || schema.oneOf) return 'json';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (isNumber(value)) return isWhole(value) ? 'integer' : 'number';
  return 'json';
}

function toField(name: string, raw: JsonSchema, root: JsonSchema, value: Json | undefined, required: boolean): Field {
  const { schema, nullable } = withoutNull(resolve(raw, root), root);
  const type = typeOf(schema, value);
  return {
    name,
    type,
    typeName: typeof schema.type === 'string' ? schema.type : type === 'json' ? 'any' : type,
    required,
    nullable: nullable || value === null,
    options: Array.isArray(schema.enum) ? schema.enum : [],
    description: typeof schema.description === 'string' ? schema.description : null,
    multiline: typeof value === 'string' && (value.includes('\n') || value.length > 80),
    schema,
  };
}

/** The fields of an object's schema, what is required first and in its order (a log sorts names, a list it keeps); a value the schema does not name gets a field of its own, by its type. */
export function fieldsOf(schema: JsonSchema | null, value: JsonObject): Field[] {
  const root = schema ?? {};
  const properties = isObject(root.properties) ? root.properties : {};
  const required = Array.isArray(root.required) ? root.required : [];
  const rank = (name: string) => (required.includes(name) ? required.indexOf(name) : required.length);
  const names = Object.keys(properties).toSorted((a, b) => rank(a) - rank(b));
  const named = names.map((name) => {
    const property = properties[name];
    return toField(name, isObject(property) ? property : {}, root, value[name], required.includes(name));
  });
  const others = Object.keys(value).filter((name) => !(name in properties));
  return [...named, ...others.map((name) => toField(name, {}, root, value[name], false))];
}

/** The text in the field for a value; the empty text stands for "not given". */
export function printValue(field: Field, value: Json | undefined): string {
  if (value === undefined) return '';
  if (field.type === 'json') return printJson(value, 2);
  if (field.type === 'enum') return printJson(value);
  return value === null ? '' : String(value);
}

function checkRange(field: Field, value: number | ExactNumber): Parsed {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = field.schema;
  const against = (limit: Json | undefined) => (isNumber(limit) ? compareNumbers(value, limit) : null);
  const wrong = (sign: number | null, bad: (sign: number) => boolean) => sign !== null && bad(sign);
  if (wrong(against(minimum), (sign) => sign < 0)) return fail('tooSmall', { limit: String(minimum) }, value);
  if (wrong(against(exclusiveMinimum), (sign) => sign <= 0)) return fail('tooSmall', { limit: `> ${String(exclusiveMinimum)}` }, value);
  if (wrong(against(maximum), (sign) => sign > 0)) return fail('tooLarge', { limit: String(maximum) }, value);
  if (wrong(against(exclusiveMaximum), (sign) => sign >= 0)) return fail('tooLarge', { limit: `< ${String(exclusiveMaximum)}` }, value);
  return { ok: true, value };
}

function checkString(field: Field, value: string): Parsed {
  const { minLength, maxLength, pattern, examples } = field.schema;
  const [like] = Array.isArray(examples) ? examples : [];
  if (typeof minLength === 'number' && value.length < minLength) return fail('tooShort', { limit: minLength });
  if (typeof maxLength === 'number' && value.length > maxLength) return fail('tooLong', { limit: maxLength });
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return typeof like === 'string' ? fail('unlike', { like }) : fail('noMatch', { pattern });
  return { ok: true, value };
}

function parseBody(field: Field, text: string): Parsed {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    return fail('notJson', { reason: error instanceof Error ? error.message : '' });
  }
  const { type } = field.schema;
  if (type === 'array' && !Array.isArray(value)) return fail('wrongType', { type });
  if (type === 'object' && !isObject(value)) return fail('wrongType', { type });
  return { ok: true, value };
}

/** Digits as JSON writes them: without a plus, and without zeros before. */
const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function parseNumber(field: Field, text: string): Parsed {
  const digits = text.trim();
  if (field.type === 'integer') return INTEGER.test(digits) ? checkRange(field, numberFrom(String(BigInt(digits.replace(/^\+/, ''))))) : fail('notInteger');
  if (NUMBER.test(digits)) return checkRange(field, numberFrom(digits));
  const value = Number(digits);
  return digits === '' || !Number.isFinite(value) ? fail('notNumber') : checkRange(field, value);
}

/** The typed value of a text: an integer stays an integer. `undefined` means "leave it out". */
export function parseText(field: Field, text: string): Parsed {
  if (text === '' && field.type !== 'string') {
    if (field.nullable) return { ok: true, value: null };
    return field.required ? fail('missing') : { ok: true, value: undefined };
  }
  if (text === '' && field.nullable) return { ok: true, value: null };
  if (field.type === 'string') return checkString(field, text);
  if (field.type === 'boolean') return { ok: true, value: text === 'true' };
  if (field.type === 'enum') return { ok: true, value: parseJson(text) };
  if (field.type === 'json') return parseBody(field, text);
  return parseNumber(field, text);
}
