import { describe, expect, it } from 'vitest';
import { jsonRows } from './json-rows';

const none = new Set<string>();

describe('jsonRows', () => {
  it('gives one row per value, in order, with pointers', () => {
    const rows = jsonRows({ order: { 'a/b': [1, null] } }, none);
    expect(rows.map((row) => [row.path, row.depth, row.size])).toEqual([
      ['', 0, 1],
      ['/order', 1, 1],
      ['/order/a~1b', 2, 2],
      ['/order/a~1b/0', 3, null],
      ['/order/a~1b/1', 3, null],
    ]);
  });

  it('hides the children of a closed branch', () => {
    const rows = jsonRows({ a: { b: 1 }, c: 2 }, new Set(['/a']));
    expect(rows.map((row) => row.path)).toEqual(['', '/a', '/c']);
    expect(rows[1]?.open).toBe(false);
  });

  it('opens only two levels of a large value', () => {
    const large = { list: Array.from({ length: 500 }, (_, i) => ({ i })) };
    const rows = jsonRows(large, none);
    expect(rows).toHaveLength(2 + 500);
    expect(rows[2]).toMatchObject({ size: 1, open: false });
  });

  it('walks 100,000 values in good time', () => {
    const wide = Array.from({ length: 100_000 }, (_, i) => i);
    expect(jsonRows(wide, none)).toHaveLength(100_001);
  });
});
