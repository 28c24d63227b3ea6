import type { Headers } from './headers';
import type { Row } from './rows';

/** A pause between two events that is worth a line of its own. */
const GAP_MS = 10_000;

export type GapReason = 'person' | 'paused' | 'retry' | 'between' | 'unknown';

/** Time in which nothing ran, from event `after` to event `before`. */
export interface Gap {
  kind: 'gap';
  after: number;
  before: number;
  ms: number;
  reason: GapReason;
}

export type Line = { kind: 'row'; row: Row; hasChildren: boolean } | Gap;

function reasonFor(headers: Headers, seq: number): GapReason {
  const type = headers.type(seq);
  if (type === 'interrupt') return 'person';
  if (type === 'pause') return 'paused';
  if (type === 'llm_error') return 'retry';
  if (type === 'session_end') return 'between';
  return 'unknown';
}

function gapBefore(headers: Headers, seq: number): Gap | null {
  const i = headers.at(seq);
  if (i <= 0) return null;
  const ms = (headers.ts[i] ?? 0) - (headers.ts[i - 1] ?? 0);
  if (ms < GAP_MS) return null;
  const reason = reasonFor(headers, seq - 1);
  // A slow model or tool is work, and its row already says how long it took.
  return reason === 'unknown' ? null : { kind: 'gap', after: seq - 1, before: seq, ms, reason };
}

/**
 * The lines of the list: rows that pass the filter and whose parents are open, and the idle time between them.
 * Idle time is found at any event of a row, since a decision joins the row of its question.
 */
export function visibleLines(headers: Headers, rows: readonly Row[], closed: ReadonlySet<number>, keep: (row: Row) => boolean): Line[] {
  const lines: Line[] = [];
  const hidden = new Set<number>();
  const parents = new Set(rows.map((row) => row.parent));
  const gaps = idleGaps(headers);
  let gap = 0;
  for (const row of rows) {
    while (gap < gaps.length && (gaps[gap]?.before ?? 0) <= row.seq) {
      lines.push(gaps[gap] as Gap);
      gap += 1;
    }
    if (row.parent !== null && (closed.has(row.parent) || hidden.has(row.parent))) {
      hidden.add(row.seq);
      continue;
    }
    if (keep(row)) lines.push({ kind: 'row', row, hasChildren: parents.has(row.seq) });
  }
  return [...lines, ...gaps.slice(gap)];
}

/** All idle stretches of a session, in order. */
export function idleGaps(headers: Headers): Gap[] {
  const gaps: Gap[] = [];
  for (let seq = headers.first + 1; seq <= headers.last; seq += 1) {
    const gap = gapBefore(headers, seq);
    if (gap) gaps.push(gap);
  }
  return gaps;
}

/** The first event of a line: where the playhead must be for the line to have begun. */
export const startOf = (line: Line): number => (line.kind === 'row' ? line.row.seq : line.before);

/** How many lines have begun at event `seq`: the playhead's line is drawn below that many. */
export function linesBegun(starts: ArrayLike<number>, seq: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
