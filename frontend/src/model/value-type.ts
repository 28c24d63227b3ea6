import type { Json } from '../api/types';
import { isNumber, isWhole } from './json';

/** The JSON type of a value, with numbers that are written as whole ones called integer. */
export function typeOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return isWhole(value) ? 'integer' : 'number';
  return typeof value;
}

/** Whether a value is of the type that its schema names; a schema without a type takes everything. */
export function fitsType(value: Json, type: Json | undefined): boolean {
  const types = Array.isArray(type) ? type : [type];
  const actual = typeOfValue(value);
  return type === undefined || types.includes(actual) || (actual === 'integer' && types.includes('number'));
}
