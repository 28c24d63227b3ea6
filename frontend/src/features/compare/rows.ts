import type { CompareRow, Comparison } from '../../api/types';

/** A difference in what was done, as against a difference in words only. */
export const isAction = (row: CompareRow): boolean => row.relation === 'different' || row.relation === 'only_a' || row.relation === 'only_b';

export const isDifference = (row: CompareRow): boolean => row.relation !== 'same';

/** Whether a row is the event that a person put in the place of another when the branch was made. */
export const isEdit = (row: CompareRow, fork: Comparison['fork']): boolean =>
  fork !== null && fork.edited && (row.a?.seq === fork.seq || row.b?.seq === fork.seq);

/**
 * Where the page opens: at the first action that differs, as a consequence, not at the edit that caused it; else at
 * the first difference at all, else nowhere.
 */
export function openingRow({ first_divergence: first, fork, rows }: Comparison): number | null {
  const action = rows.findIndex((row) => isAction(row) && !isEdit(row, fork));
  return action >= 0 ? action : (first?.row ?? null);
}

/** The next difference after (or before) a row; the same row when there is none. */
export function nextDifference(rows: CompareRow[], from: number, step: 1 | -1): number {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    const row = rows[at];
    if (row && isDifference(row)) return at;
  }
  return from;
}

export type Line = { kind: 'row'; index: number; row: CompareRow } | { kind: 'folded'; from: number; count: number };

/** Equal rows kept around a difference. */
const CONTEXT = 1;

/** The rows to show. With `onlyDifferences`, runs of equal rows are folded, and say how many they are. */
export function linesOf(rows: CompareRow[], onlyDifferences: boolean): Line[] {
  if (!onlyDifferences) return rows.map((row, index) => ({ kind: 'row', index, row }));
  const keep = rows.map((_, index) => rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(isDifference));
  const lines: Line[] = [];
  for (const [index, row] of rows.entries()) {
    const last = lines.at(-1);
    if (keep[index]) lines.push({ kind: 'row', index, row });
    else if (last?.kind === 'folded') last.count += 1;
    else lines.push({ kind: 'folded', from: index, count: 1 });
  }
  return lines;
}



/** What is changed by the fork, in the words of its settings. */
export function overrideNames(fork: Comparison['fork']): string[] {
  return Object.entries(fork?.overrides ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name]) => name);
}

/** Change from a to b in per cent, rounded; null when it cannot be said. */
export function percent(a: number | null, b: number | null): number | null {
  if (a === null || b === null || a === 0) return null;
  return Math.round(((b - a) / a) * 100);
}
