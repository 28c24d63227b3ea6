import { describe, expect, it } from 'vitest';
import type { Json } from '../api/types';
import { maximumFrom, readBudget } from './budget';

describe('a budget', () => {
  it('is read from a question', () => {
    const info = { what: 'max_cost', per: 'run', of: 'agent:desk', why: 'unknown_price', limit: '0.50', used: '0.48', unpriced: 2 };
    expect(readBudget(info)).toEqual({ what: 'max_cost', per: 'run', unknownPrice: true, limit: '0.50', used: '0.48', unpriced: 2 });
  });

  it('is none where something else is said', () => {
    const others: (Json | null)[] = [null, 'text', 7, { what: 'prices' }, { what: 'max_cost', limit: '1' }];
    for (const other of others) expect(readBudget(other)).toBeNull();
  });

  it('takes a new maximum only as the server does', () => {
    expect(maximumFrom(' 0.75 ', 'max_cost')).toBe('0.75');
    expect(maximumFrom('5000', 'max_tokens')).toBe(5000);
    for (const wrong of ['', '-1', '1,5', '1e3']) expect(maximumFrom(wrong, 'max_cost')).toBeUndefined();
    for (const wrong of ['', '0', '1.5', 'many']) expect(maximumFrom(wrong, 'max_tokens')).toBeUndefined();
  });
});
