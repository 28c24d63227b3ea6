import type { Headers } from './headers';

/** Idle time is shortened to this when playing, and no event is shorter than that, so that it can be seen. */
const LONGEST_STEP = 2000;
const SHORTEST_STEP = 120;

export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** Milliseconds from event `seq` to the next one when playing at the given speed. */
export function stepDelay(headers: Headers, seq: number, speed: number): number {
  const i = headers.at(seq);
  const gap = (headers.ts[i + 1] ?? 0) - (headers.ts[i] ?? 0);
  return Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, gap)) / speed;
}

export interface Position {
  seq: number;
  /** Milliseconds already spent on the way to the next event. */
  spent: number;
}

/** Where the playhead is after `elapsed` more milliseconds; it stays on the last event. */
export function advance(headers: Headers, from: Position, elapsed: number, speed: number): Position {
  let { seq } = from;
  let spent = from.spent + elapsed;
  while (seq < headers.last) {
    const delay = stepDelay(headers, seq, speed);
    if (spent < delay) return { seq, spent };
    spent -= delay;
    seq += 1;
  }
  return { seq: headers.last, spent: 0 };
}

export type JumpTarget = 'error' | 'interrupt' | 'tool' | 'model' | 'turn' | 'marker';

const isTarget: Record<JumpTarget, (headers: Headers, i: number) => boolean> = {
  error: (headers, i) => headers.error[i] === 1,
  interrupt: (headers, i) => headers.types[i] === 'interrupt',
  tool: (headers, i) => headers.types[i] === 'tool_call',
  model: (headers, i) => headers.types[i] === 'llm_request',
  turn: (headers, i) => headers.types[i] === 'llm_request' || headers.types[i] === 'user_message',
  marker: (headers, i) => markerOf(headers, i) !== null,
};

/** Seq of the next (or previous) event of a sort after `seq`, or null when there is none. */
export function jump(headers: Headers, seq: number, target: JumpTarget, direction: 1 | -1 = 1): number | null {
  const test = isTarget[target];
  for (let i = headers.at(seq) + direction; i >= 0 && i < headers.count; i += direction) {
    if (test(headers, i)) return headers.first + i;
  }
  return null;
}

export type Marker = 'error' | 'interrupt' | 'guard' | 'branch' | 'message';
/** Worst first: when several fall on one place, the first of these is drawn. */
export const MARKERS: readonly Marker[] = ['error', 'interrupt', 'guard', 'branch', 'message'];

/** What an event is marked with on the overview strip, if anything. */
export function markerOf(headers: Headers, i: number): Marker | null {
  const type = headers.types[i];
  if (headers.error[i] === 1) return type === 'guardrail' ? 'guard' : 'error';
  if (type === 'interrupt') return 'interrupt';
  if (type === 'guardrail') return headers.statuses[i] === 'pass' ? null : 'guard';
  if (type === 'branch') return 'branch';
  if (type === 'user_message' || type === 'steer') return 'message';
  return null;
}
