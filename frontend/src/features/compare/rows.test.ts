import { describe, expect, it } from 'vitest';
import type { CompareRow, Comparison, HeadRow } from '../../api/types';
import { linesOf, nextDifference, openingRow, overrideNames, percent } from './rows';

const head = (seq: number): HeadRow => ({ seq, type: 'llm_response', ts: '', scope: null, cause: null, label: '', tool: null, status: null, ms: null, tokens_in: null, tokens_out: null, cost: null, error: false, session: '' });
const row = (relation: CompareRow['relation'], seq = 1): CompareRow => ({
  relation,
  a: relation === 'only_b' ? null : head(seq),
  b: relation === 'only_a' ? null : head(seq),
});
const rows = [row('same'), row('wording'), row('same'), row('same'), row('same'), row('different'), row('only_b')];
const comparison = (first: Comparison['first_divergence'], list = rows, fork: Comparison['fork'] = null) => ({ first_divergence: first, fork, rows: list }) as Comparison;

describe('where a comparison opens', () => {
  it('is the first action that differs, not the first word', () => {
    expect(openingRow(comparison({ row: 1, kind: 'wording' }))).toBe(5);
    expect(openingRow(comparison({ row: 5, kind: 'action' }))).toBe(5);
  });

  it('is what followed from an edit, not the edit itself', () => {
    const list = [row('different', 9), row('same', 10), row('different', 13)];
    const fork = { seq: 9, edited: true, overrides: null };
    expect(openingRow(comparison({ row: 0, kind: 'action' }, list, fork))).toBe(2);
    expect(openingRow(comparison({ row: 0, kind: 'action' }, list.slice(0, 2), fork))).toBe(0);
  });

  it('is the first word when nothing else differs, and nowhere when all is the same', () => {
    expect(openingRow(comparison({ row: 1, kind: 'wording' }, rows.slice(0, 5)))).toBe(1);
    expect(openingRow(comparison(null, [row('same')]))).toBeNull();
  });
});

describe('the rows of a comparison', () => {
  it('are walked from difference to difference, and stay at the last', () => {
    expect(nextDifference(rows, 1, 1)).toBe(5);
    expect(nextDifference(rows, 6, 1)).toBe(6);
    expect(nextDifference(rows, 5, -1)).toBe(1);
    expect(nextDifference(rows, -1, 1)).toBe(1);
  });

  it('fold what is the same on both sides, except beside a difference', () => {
    expect(linesOf(rows, true).map((line) => (line.kind === 'row' ? line.index : `${line.count} folded`))).toEqual([0, 1, 2, '1 folded', 4, 5, 6]);
    expect(linesOf(rows, false)).toHaveLength(7);
  });
});

describe('what the fork changed, and what it cost', () => {
  it('names the settings that differ', () => {
    expect(overrideNames({ seq: 4, edited: true, overrides: { model: 'x', params: null } })).toEqual(['model']);
    expect(overrideNames(null)).toEqual([]);
  });

  it('is said in per cent, or not at all when it is not known', () => {
    expect(percent(200, 192)).toBe(-4);
    expect(percent(0, 5)).toBeNull();
    expect(percent(null, 5)).toBeNull();
  });
});
