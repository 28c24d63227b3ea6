import type { Json } from '../api/types';
import { isNumber, isObject } from './json';

export type LimitName = 'max_steps' | 'max_model_calls' | 'max_tool_calls' | 'max_calls_of' | 'max_tokens' | 'max_cost';

export interface Budget {
  what: LimitName;
  per: 'run' | 'session';
  /** The price of the model is not known, so what it costs can't be limited. */
  unknownPrice: boolean;
  limit: string;
  used: string;
  /** Answers whose price nobody knows: `used` of money is a lower bound then; tokens are all known. */
  unpriced: number;
  /** What the refused request would reserve, and the least maximum under which it goes; null where nobody knows. */
  need: string | null;
  least: string | null;
}

const NAMES = new Set<string>(['max_steps', 'max_model_calls', 'max_tool_calls', 'max_calls_of', 'max_tokens', 'max_cost']);
const plain = (value: Json | undefined): string | null => (typeof value === 'string' || isNumber(value) ? String(value) : null);

const DIGITS = 9;

/** "0.48" in thousand-millionths, since sums of money are not for fractions in binary. */
function scaled(amount: string): bigint {
  const [whole = '0', rest = ''] = amount.split('.');
  return BigInt(whole + rest.slice(0, DIGITS).padEnd(DIGITS, '0'));
}

/** Two amounts of money or numbers of tokens as the server writes them, added without losing a digit. */
export function sumOf(a: string, b: string): string {
  const sum = String(scaled(a) + scaled(b)).padStart(DIGITS + 1, '0');
  return `${sum.slice(0, -DIGITS)}.${sum.slice(-DIGITS)}`.replace(/\.?0+$/, '');
}

const isAmount = (text: string | null): text is string => text !== null && /^\d+(\.\d+)?$/.test(text);

/** Whether a new maximum is too small for the request that waits. */
export const isTooLittle = (maximum: string, least: string | null): boolean => least !== null && isAmount(maximum) && scaled(maximum) < scaled(least);

/** What a `budget` question or a `limit` event says of a limit; null for anything else. */
export function readBudget(value: Json | null | undefined): Budget | null {
  if (!isObject(value)) return null;
  const [limit, used] = [plain(value.limit), plain(value.used)];
  if (typeof value.what !== 'string' || !NAMES.has(value.what) || limit === null || used === null) return null;
  const need = plain(value.need);
  return {
    what: value.what as LimitName,
    per: value.per === 'session' ? 'session' : 'run',
    unknownPrice: value.why === 'unknown_price',
    limit,
    used,
    unpriced: value.what === 'max_cost' && isNumber(value.unpriced) ? Number(value.unpriced) : 0,
    need,
    least: isAmount(need) && isAmount(used) ? sumOf(used, need) : null,
  };
}

const MONEY = /^\d{1,9}(\.\d{1,9})?$/;
const TOKENS = /^[1-9]\d{0,12}$/;

/** A new maximum as the server takes it: money as text, tokens as a number; undefined while it is none. */
export function maximumFrom(text: string, what: LimitName): Json | undefined {
  const written = text.trim();
  if (what === 'max_cost') return MONEY.test(written) ? written : undefined;
  return TOKENS.test(written) ? Number(written) : undefined;
}
