import type { JsonObject } from '../api/types';
import { isNumber } from './json';

const count = (usage: JsonObject | null, name: string): number | null => {
  const value = usage?.[name];
  return isNumber(value) ? Number(value) : null;
};

const sum = (...counts: (number | null)[]): number | null =>
  counts.includes(null) ? null : counts.reduce<number>((all, one) => all + (one ?? 0), 0);

export type Counted = Record<'input' | 'output' | 'cached' | 'written' | 'reasoning', number | null>;

/** The tokens of a call counted one way: what a provider counts apart is added once; unknown is null. */
export function counted(usage: JsonObject | null): Counted {
  const [input, output] = [count(usage, 'input'), count(usage, 'output')];
  const [cached, written, reasoning] = [count(usage, 'cached'), count(usage, 'written'), count(usage, 'reasoning')];
  const semantics = usage?.semantics;
  const cacheApart = semantics === 'cached_apart' || semantics === 'apart';
  const reasoningApart = semantics === 'reasoning_apart' || semantics === 'apart';
  return {
    input: cacheApart ? sum(input, cached, written ?? 0) : input,
    output: reasoningApart ? sum(output, reasoning) : output,
    cached,
    written,
    reasoning,
  };
}
