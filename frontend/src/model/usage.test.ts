import { describe, expect, it } from 'vitest';
import { counted } from './usage';

describe('the tokens of a call', () => {
  it.each([
    ['inclusive', 100, 30],
    ['cached_apart', 165, 30],
    ['reasoning_apart', 100, 40],
    ['apart', 165, 40],
  ])('i34: what is counted %s is added once', (semantics, input, output) => {
    const usage = { input: 100, output: 30, cached: 40, reasoning: 10, written: 25, semantics };
    expect(counted(usage)).toEqual({ input, output, cached: 40, written: 25, reasoning: 10 });
  });

  it('stays unknown where it is', () => {
    expect(counted(null).input).toBeNull();
    expect(counted({ input: 5, cached: null, semantics: 'cached_apart' }).input).toBeNull();
    expect(counted({ input: 5, cached: 2, semantics: 'cached_apart' })).toMatchObject({ input: 7, written: null });
  });
});
