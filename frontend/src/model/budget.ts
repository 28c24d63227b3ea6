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
  /** Answers whose price nobody knows: `used` is a lower bound then. */
  unpriced: number;
}

const NAMES = new Set<string>(['max_steps', 'max_model_calls', 'max_tool_calls', 'max_calls_of', 'max_tokens', 'max_cost']);
const plain = (value: Json | undefined): string | null => (typeof value === 'string' || isNumber(value) ? String(value) : null);

/** What a `budget` question or a `limit` event says of a limit; null for anything else. */
export function readBudget(value: Json | null | undefined): Budget | null {
  if (!isObject(value)) return null;
  const [limit, used] = [plain(value.limit), plain(value.used)];
  if (typeof value.what !== 'string' || !NAMES.has(value.what) || limit === null || used === null) return null;
  return {
    what: value.what as LimitName,
    per: value.per === 'session' ? 'session' : 'run',
    unknownPrice: value.why === 'unknown_price',
    limit,
    used,
    unpriced: isNumber(value.unpriced) ? Number(value.unpriced) : 0,
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
