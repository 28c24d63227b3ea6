import { describe, expect, it } from 'vitest';
import { emptyShare, rangeOf, toShareRequest } from './share-form';

describe('a share', () => {
  const draft = emptyShare('Refund', 40);

  it('leaves prompts and cost out unless they are put in', () => {
    expect(toShareRequest(draft, 40)).toEqual({
      from: 1,
      to: 40,
      expires_in: 2_592_000,
      show: { arguments: true, results: true, prompts: false, cost: false },
      title: 'Refund',
    });
  });

  it.each([
    ['3', '12', { from: 3, to: 12 }],
    ['12', '3', null],
    ['0', '3', null],
    ['3', '41', null],
    ['3', 'x', null],
  ])('of #%s to #%s is %o', (from, to, range) => {
    expect(rangeOf({ ...draft, whole: false, from, to }, 40)).toEqual(range);
  });
});
