import { describe, expect, it } from 'vitest';
import { settleOrder } from './stable-order';

describe('the order of a live list', () => {
  it('follows the truth while nobody is in the list', () => {
    expect(settleOrder(['a', 'b'], ['c', 'b', 'a'], false)).toEqual({ shown: ['c', 'b', 'a'], arrived: 0, stale: false });
  });

  it('does not move a row under the pointer, and counts what waits above', () => {
    expect(settleOrder(['a', 'b'], ['new', 'b', 'a'], true)).toEqual({ shown: ['a', 'b'], arrived: 1, stale: true });
  });

  it('adds the next page below, and lets go of what is gone', () => {
    expect(settleOrder(['a', 'b', 'c'], ['a', 'c', 'd', 'e'], true)).toEqual({ shown: ['a', 'c', 'd', 'e'], arrived: 0, stale: false });
  });

  it('shows the first rows at once', () => {
    expect(settleOrder([], ['a', 'b'], true).shown).toEqual(['a', 'b']);
  });

  it('keeps nothing when all that was known is gone', () => {
    expect(settleOrder(['a'], ['b', 'c'], true)).toEqual({ shown: ['b', 'c'], arrived: 0, stale: false });
  });
});
