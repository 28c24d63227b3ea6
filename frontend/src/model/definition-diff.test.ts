import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/types';
import { changesOf } from './definition-diff';

const before: JsonObject = { instructions: 'Be kind.', tools: [{ name: 'a' }, { name: 'b', approval: true }], middleware: [{ use: 'logging' }, { use: 'guardrail', rounds: 1 }], samples: [] };

describe('what changed between two definitions', () => {
  it('is told by the names of things, not by their numbers', () => {
    const after: JsonObject = { ...before, tools: [{ name: 'b', approval: false }, { agent: 'helper' }] };
    expect(changesOf(before, after)).toEqual([
      { field: 'tools.a', before: { name: 'a' }, after: undefined },
      { field: 'tools.b.approval', before: true, after: false },
      { field: 'tools.helper', before: undefined, after: { agent: 'helper' } },
    ]);
  });

  it('tells another order as such', () => {
    const after: JsonObject = { ...before, middleware: [{ use: 'guardrail', rounds: 2 }, { use: 'logging' }] };
    expect(changesOf(before, after)).toEqual([
      { field: 'middleware', before: ['logging', 'guardrail'], after: ['guardrail', 'logging'] },
      { field: 'middleware.guardrail.rounds', before: 1, after: 2 },
    ]);
  });

  it('keeps two of a name apart, and takes nothing for nothing', () => {
    const twice: JsonObject = { ...before, middleware: [{ use: 'logging' }, { use: 'logging', level: 'debug' }] };
    expect(changesOf({ ...before, middleware: [{ use: 'logging' }, { use: 'logging' }] }, twice)).toEqual([
      { field: 'middleware.logging (2).level', before: undefined, after: 'debug' },
    ]);
    expect(changesOf({ slug: 'a', samples: [] }, { slug: 'a', description: '' })).toEqual([]);
  });
});
