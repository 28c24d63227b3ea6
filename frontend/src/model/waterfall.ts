import type { Headers } from './headers';
import type { Row } from './rows';
import type { Span } from './time-scale';
import type { Gap, Line } from './visible';

const timeOf = (headers: Headers, seq: number): number => headers.ts[headers.at(seq)] ?? 0;

/** From when to when a row lasted; one that is still open lasts until `now`, one that has no answer is a moment. */
export function spanOf(headers: Headers, row: Row, now: number): Span {
  const from = timeOf(headers, row.seq);
  if (row.settled !== null) return { from, to: Math.max(from, timeOf(headers, row.settled)) };
  const open = row.state === 'open' || row.state === 'waiting';
  return { from, to: open ? Math.max(from, now) : from };
}

export const idleSpan = (headers: Headers, gap: Gap): Span => ({ from: timeOf(headers, gap.after), to: timeOf(headers, gap.before) });

/** A sub-agent, or the call that runs it, lasts as long as what it does, which need not be on screen; a question, as long as nobody answers. */
function isAround(line: Line, next: Line | undefined): boolean {
  if (line.kind === 'gap') return false;
  return line.row.state === 'waiting' || line.row.kind === 'agent' || (line.row.kind === 'tool' && next?.kind === 'row' && next.row.type === 'child_start');
}

/** The time that lines take together: of those that work, when there are any. */
export function windowOf(headers: Headers, lines: readonly Line[], now: number): Span {
  const rows = lines.flatMap((line, index) => (line.kind === 'row' ? [{ row: line.row, around: isAround(line, lines[index + 1]) }] : []));
  const spans = rows.map(({ row, around }) => {
    const span = spanOf(headers, row, now);
    return around ? { from: span.from, to: span.from } : span;
  });
  const first = spans[0];
  if (!first) return { from: now, to: now + 1 };
  const span = spans.reduce((all, each) => ({ from: Math.min(all.from, each.from), to: Math.max(all.to, each.to) }), first);
  return { from: span.from, to: Math.max(span.to, span.from + 1) };
}
