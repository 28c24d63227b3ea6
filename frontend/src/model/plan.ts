import type { JsonObject } from '../api/types';
import { isNumber, printJson } from './json';

export interface Plan {
  steps: { text: string; done: boolean }[];
  /** How many steps were done that the list does not name any more. */
  before: number;
  why: string | null;
}

const textsOf = (payload: JsonObject | null | undefined): string[] | null =>
  Array.isArray(payload?.steps) ? payload.steps.map((step) => (typeof step === 'string' ? step : printJson(step))) : null;

/**
 * A plan as an event tells it. `done` counts steps of the list where the list stays the same from one telling to the
 * next; where a planner writes what is left, they are no longer in it.
 */
export function readPlan(payload: JsonObject | null | undefined, previous: JsonObject | null | undefined): Plan | null {
  const steps = textsOf(payload);
  if (!payload || !steps || steps.length === 0) return null;
  const done = isNumber(payload.done) ? Number(payload.done) : 0;
  const kept = JSON.stringify(textsOf(previous)) === JSON.stringify(steps);
  return {
    steps: steps.map((text, index) => ({ text, done: kept && index < done })),
    before: kept ? 0 : done,
    why: typeof payload.why === 'string' && payload.why !== '' ? payload.why : null,
  };
}
