import { describe, expect, it } from 'vitest';
import type { Json } from '../api/types';
import { isTooLittle, maximumFrom, readBudget, sumOf } from './budget';

describe('a budget', () => {
  it('is read from a question', () => {
    const info = { what: 'max_cost', per: 'run', of: 'agent:desk', why: 'unknown_price', limit: '0.50', used: '0.48', unpriced: 2 };
    expect(readBudget(info)).toEqual({ what: 'max_cost', per: 'run', unknownPrice: true, limit: '0.50', used: '0.48', unpriced: 2, need: null, least: null });
  });

  it('counts unknown prices for money only', () => {
    const info = { what: 'max_tokens', per: 'run', of: 'agent:desk', why: 'reached', limit: 2000, used: 3000, unpriced: 2 };
    expect(readBudget(info)).toMatchObject({ unpriced: 0 });
  });

  it('says what the request needs, and under which maximum it goes', () => {
    const info = { what: 'max_tokens', per: 'session', of: 'agent:desk', why: 'reached', limit: 300, used: 120, need: 384 };
    expect(readBudget(info)).toMatchObject({ used: '120', need: '384', least: '504' });
    expect(readBudget({ ...info, what: 'max_cost', used: '0.1', need: '0.2' })).toMatchObject({ least: '0.3' });
    expect(sumOf('999999999.999999999', '0.000000001')).toBe('1000000000');
    expect(sumOf('10', '20')).toBe('30');
    expect(['0.2', '0.30', '1'].map((each) => isTooLittle(each, '0.3'))).toEqual([true, false, false]);
    expect(isTooLittle('1', null)).toBe(false);
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
