import type { Decision, Interrupt, Json, JsonObject } from '../../api/types';
import { readBudget } from '../../model/budget';

export type Verb = 'approve' | 'continue' | 'edit' | 'respond' | 'reject' | 'happened' | 'did_not' | 'retry' | 'raise' | 'give_up';

/** What a person has to give before the decision can be sent. */
export type Needs = 'nothing' | 'confirmation' | 'arguments' | 'reason' | 'text' | 'value';

export interface Choice {
  verb: Verb;
  /** The single key that does the same. */
  key: string;
  needs: Needs;
}

/** Fixed order and letters, so that fingers learn them; what the server does not allow is not there. */
const LETTERS: [Verb, string][] = [
  ['approve', 'a'],
  ['continue', 'a'],
  ['raise', 'a'],
  ['edit', 'v'],
  ['respond', 'c'],
  ['reject', 'r'],
];
const NUMBERED: Verb[] = ['happened', 'did_not', 'retry', 'give_up'];

/** A limit of money on a model without a known price: no amount helps, only to go on without the limit. */
export const withoutPrice = (interrupt: Interrupt): boolean => interrupt.kind === 'budget' && readBudget(interrupt.info)?.unknownPrice === true;

/** The word for a decision on its button; a budget without a price has its own. */
export const verbWord = (interrupt: Interrupt, verb: Verb): Verb | 'no_limit' => (verb === 'raise' && withoutPrice(interrupt) ? 'no_limit' : verb);

/** The word for what was decided; who lifted a limit gave no more of it. */
export const doneWord = ({ decision, answer }: Interrupt): Verb | 'no_limit' =>
  decision === 'raise' && answer?.value === null ? 'no_limit' : (decision as Verb);

function needsOf(verb: Verb, interrupt: Interrupt): Needs {
  if (verb === 'edit') return 'arguments';
  if (verb === 'reject') return 'reason';
  if (verb === 'raise' && withoutPrice(interrupt)) return 'confirmation';
  if (verb === 'happened' || verb === 'raise') return 'value';
  if (verb === 'respond') return interrupt.kind === 'approval' ? 'text' : 'value';
  // Running a call again that may have happened, and ending a run, are not for one stray key.
  if (verb === 'give_up' || (verb === 'retry' && interrupt.kind === 'in_doubt')) return 'confirmation';
  return 'nothing';
}

/** The decisions that this interrupt takes, in the order in which they stand. */
export function choicesOf(interrupt: Interrupt): Choice[] {
  const allowed = new Set(interrupt.allowed);
  const lettered = LETTERS.filter(([verb]) => allowed.has(verb));
  const numbered = NUMBERED.filter((verb) => allowed.has(verb)).map((verb, index): [Verb, string] => [verb, String(index + 1)]);
  return [...lettered, ...numbered].map(([verb, key]) => ({ verb, key, needs: needsOf(verb, interrupt) }));
}

export interface Given {
  arguments?: JsonObject | null;
  message?: string;
  value?: Json;
}

/** The request for a choice, bound to the digest that was on screen; null while something is missing. */
export function decisionOf(interrupt: Interrupt, choice: Choice, given: Given): Decision | null {
  const bound = { decision: choice.verb, digest: interrupt.digest };
  if (choice.needs === 'arguments') return given.arguments ? { ...bound, arguments: given.arguments } : null;
  if (choice.needs === 'value') return given.value === undefined ? null : { ...bound, value: given.value };
  if (choice.needs === 'reason' || choice.needs === 'text') {
    const message = given.message?.trim();
    return message ? { ...bound, message } : null;
  }
  return choice.verb === 'raise' ? { ...bound, value: null } : bound;
}
