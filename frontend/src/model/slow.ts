import type { Row } from './rows';

/** Nothing faster is worth a person's eye, however fast the rest is. */
const LEAST_MS = 1000;
/** How much longer than the usual one, and of how many one can say what is usual. */
const TIMES = 2;
const ENOUGH = 3;

/** From how many milliseconds on a call of a kind is slow, for this session. */
export type Slow = Record<'model' | 'tool', number>;

function bound(rows: readonly Row[], kind: 'model' | 'tool'): number {
  const took = rows.filter((row) => row.kind === kind && !Number.isNaN(row.ms)).map((row) => row.ms);
  if (took.length < ENOUGH) return Number.POSITIVE_INFINITY;
  const usual = took.toSorted((a, b) => a - b)[Math.floor((took.length - 1) / 2)] ?? 0;
  return Math.max(LEAST_MS, usual * TIMES);
}

/** What is slow in a session: a second at least, and twice as long as calls of its kind usually take here. */
export const slowIn = (rows: readonly Row[]): Slow => ({ model: bound(rows, 'model'), tool: bound(rows, 'tool') });

export const isSlow = (row: Row, slow: Slow): boolean => (row.kind === 'model' || row.kind === 'tool') && row.ms >= slow[row.kind];
