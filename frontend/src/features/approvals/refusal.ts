import { ApiError } from '../../api/errors';
import type { Interrupt } from '../../api/types';

/** Why a decision was not taken. In each case nothing of it was applied, but for one: `unheard` is known to nobody. */
export type Refusal =
  | { kind: 'lost'; winner: Interrupt | null }
  | { kind: 'changed' }
  | { kind: 'expired' }
  | { kind: 'unheard' }
  | { kind: 'invalid'; fields: { field: string; message: string }[]; message: string }
  | { kind: 'failed'; message: string };

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) return { kind: 'failed', message: String(error) };
  if (error.status === 0 || error.status >= 500) return { kind: 'unheard' };
  if (error.status === 409 && error.code === 'digest_mismatch') return { kind: 'changed' };
  if (error.status === 409) return { kind: 'lost', winner: error.interrupt };
  if (error.status === 410) return { kind: 'expired' };
  if (error.status === 422) return { kind: 'invalid', fields: error.fields, message: error.message };
  return { kind: 'failed', message: error.message };
}

/** Field errors by the name of the argument: the server names them "arguments.amount", "body.arguments.amount" or "amount". */
export function errorsByArgument(fields: { field: string; message: string }[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ field, message }) => [field.replace(/^.*?arguments[./]/, '').split(/[./]/)[0] ?? field, message]));
}
