import type { Interrupt, JsonObject } from '../../api/types';
import { printJson } from '../../model/json';

export interface Edits {
  original: JsonObject;
  edited: JsonObject;
  /** Names of the arguments that differ. */
  changed: string[];
}

/** What a person changed in the call that was proposed; null where the decision was none, or its answer is not at hand. */
export function editsOf({ decision, answer, proposal, arguments: given }: Interrupt): Edits | null {
  const original = proposal?.arguments ?? given;
  const edited = answer?.arguments;
  if (decision !== 'edit' || !original || !edited) return null;
  const names = [...new Set([...Object.keys(original), ...Object.keys(edited)])];
  const print = (from: JsonObject, name: string) => (from[name] === undefined ? '' : printJson(from[name]));
  return { original, edited, changed: names.filter((name) => print(original, name) !== print(edited, name)) };
}

const shown = (from: JsonObject, name: string): string => {
  const value = from[name];
  return value === undefined ? '—' : typeof value === 'string' ? value : printJson(value);
};

/** "amount_cents: 8900 → 3000": the changes on one line. */
export const editLine = ({ original, edited, changed }: Edits): string =>
  changed.map((name) => `${name}: ${shown(original, name)} → ${shown(edited, name)}`).join(', ');
