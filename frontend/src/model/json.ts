import type { Json, JsonObject } from '../api/types';

/**
 * A number that JavaScript would not write the way it was written: an id of 64 bits, `5.0`, `1e400`. It keeps its
 * own digits, so that what a person reads, approves and sends back is the number that the agent meant.
 */
export class ExactNumber {
  private readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** For whatever counts or compares roughly. */
  toJSON(): number {
    return Number(this.digits);
  }
}

/** A JSON string or number; strings are matched so that digits inside of them are left alone. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Without any of these a text holds no number that would be written differently. */
const SUSPECT = /\d{16}|\.\d*0(?!\d)|\d[eE][+-]?\d|-0(?![\d.])/;
/** Stands before the digits while they pass through JSON as a string; no text can know it. */
const MARK = `\u0000${Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')}:`;
const WRITTEN_MARK = JSON.stringify(MARK).slice(1, -1);
const MARKED = new RegExp(`"${WRITTEN_MARK.replaceAll('\\', '\\\\')}([^"]+)"`, 'g');

const isPlain = (digits: string): boolean => String(Number(digits)) === digits;

/** The value of a JSON number as it is written: a plain number where that says the same. */
export const numberFrom = (digits: string): number | ExactNumber => (isPlain(digits) ? Number(digits) : new ExactNumber(digits));

/** As `JSON.parse`, but no digit is lost. Throws SyntaxError. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (!SUSPECT.test(text)) return value;
  let found = false;
  const marked = text.replace(TOKEN, (token) => {
    if (token.startsWith('"') || isPlain(token)) return token;
    found = true;
    return `"${WRITTEN_MARK}${token}"`;
  });
  if (!found) return value;
  return JSON.parse(marked, (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(MARK) ? new ExactNumber(each.slice(MARK.length)) : each,
  ) as Json;
}

function markExact(this: unknown, key: string, value: unknown): unknown {
  const raw = (this as Record<string, unknown>)[key];
  return raw instanceof ExactNumber ? MARK + String(raw) : value;
}

/** As `JSON.stringify`, with exact numbers as they are. */
export const printJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, markExact, indent) ?? 'null').replace(MARKED, '$1');

export const sameJson = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && printJson(a) === printJson(b));

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

export const isNumber = (value: Json | undefined): value is number | ExactNumber => typeof value === 'number' || value instanceof ExactNumber;

const WHOLE = /^-?\d+$/;

/** Whether a number is written as a whole one: `5.0` is not. */
export const isWhole = (value: number | ExactNumber): boolean => WHOLE.test(String(value));

/** Below zero when a is less than b. Whole numbers are compared digit by digit. */
export function compareNumbers(a: number | ExactNumber, b: number | ExactNumber): number {
  if (!isWhole(a) || !isWhole(b)) return Number(a) - Number(b);
  const [left, right] = [BigInt(String(a)), BigInt(String(b))];
  return left < right ? -1 : left > right ? 1 : 0;
}
