import type { HeadColumns, HeadRow, SessionStatus } from '../api/types';

/** Room for this many events is made at once; doubled when it is full. */
const FIRST_ROOM = 1024;

const number = (value: unknown): number => (value === null || value === undefined || value === '' ? Number.NaN : Number(value));

/**
 * The headers of a session's events as columns: numbers in typed arrays, words in lists. The place of an
 * event is its seq less the first one's. It only grows; `version` tells that it did. NaN stands for unknown.
 */
export class Headers {
  /** Seq of the first event, 1 except in a shared range. */
  first = 1;
  count = 0;
  version = 0;
  types: string[] = [];
  scopes: (string | null)[] = [];
  labels: string[] = [];
  tools: (string | null)[] = [];
  statuses: (string | null)[] = [];
  sessions: string[] = [];
  ts = new Float64Array(FIRST_ROOM);
  ms = new Float64Array(FIRST_ROOM);
  tokensIn = new Float64Array(FIRST_ROOM);
  tokensOut = new Float64Array(FIRST_ROOM);
  cost = new Float64Array(FIRST_ROOM);
  cause = new Int32Array(FIRST_ROOM);
  error = new Uint8Array(FIRST_ROOM);
  private readonly listeners = new Set<() => void>();

  get last(): number {
    return this.first + this.count - 1;
  }

  has(seq: number): boolean {
    return seq >= this.first && seq <= this.last;
  }

  /** The place of a seq in the columns. */
  at(seq: number): number {
    return seq - this.first;
  }

  type(seq: number): string {
    return this.types[seq - this.first] ?? '';
  }

  /** Adds a page of columns; what is already there is skipped. Returns false when events are missing before it. */
  addColumns({ columns, data }: Pick<HeadColumns, 'columns' | 'data'>): boolean {
    const length = data.seq?.length ?? 0;
    const lists = columns.map((name) => [name, data[name] ?? []] as const);
    // One row for all: ten thousand objects would cost more than reading them.
    const row: Record<string, unknown> = {};
    for (let i = 0; i < length; i += 1) {
      for (const [name, list] of lists) row[name] = list[i];
      if (!this.put(row as unknown as HeadRow)) return false;
    }
    this.changed();
    return true;
  }

  /** Adds headers in order. Returns false, and adds nothing more, at the first that leaves a gap. */
  addRows(rows: Iterable<HeadRow>): boolean {
    let whole = true;
    for (const row of rows) {
      whole = this.put(row);
      if (!whole) break;
    }
    this.changed();
    return whole;
  }

  clear(): void {
    this.count = 0;
    for (const list of [this.types, this.scopes, this.labels, this.tools, this.statuses, this.sessions]) list.length = 0;
    this.changed();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private changed(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }

  private put(row: HeadRow): boolean {
    if (this.count === 0) this.first = row.seq;
    if (row.seq <= this.last) return true;
    if (row.seq !== this.last + 1) return false;
    const i = this.count;
    if (i === this.ts.length) this.grow();
    this.types[i] = row.type;
    this.scopes[i] = row.scope ?? null;
    this.labels[i] = row.label ?? '';
    this.tools[i] = row.tool ?? null;
    this.statuses[i] = row.status ?? null;
    this.sessions[i] = row.session;
    this.ts[i] = typeof row.ts === 'number' ? row.ts : Date.parse(row.ts);
    this.ms[i] = number(row.ms);
    this.tokensIn[i] = number(row.tokens_in);
    this.tokensOut[i] = number(row.tokens_out);
    this.cost[i] = number(row.cost);
    this.cause[i] = row.cause ?? 0;
    this.error[i] = row.error ? 1 : 0;
    this.count += 1;
    return true;
  }

  private grow(): void {
    const room = this.ts.length * 2;
    const wider = (old: Float64Array) => {
      const next = new Float64Array(room);
      next.set(old);
      return next as Float64Array<ArrayBuffer>;
    };
    this.ts = wider(this.ts);
    this.ms = wider(this.ms);
    this.tokensIn = wider(this.tokensIn);
    this.tokensOut = wider(this.tokensOut);
    this.cost = wider(this.cost);
    const cause = new Int32Array(room);
    cause.set(this.cause);
    this.cause = cause;
    const error = new Uint8Array(room);
    error.set(this.error);
    this.error = error;
  }
}

/** Events that put the loop to work; a status is "running" after them. */
const LOOP = new Set(['llm_request', 'llm_response', 'tool_call', 'tool_result', 'step_end', 'resume', 'llm_attempt', 'effect', 'lease']);

export interface Totals {
  seq: number;
  status: SessionStatus;
  tokensIn: number | null;
  tokensOut: number | null;
  /** US dollars; null when no price is known. */
  cost: number | null;
  /** Whether some model answer up to here has no known price, so that `cost` is a lower bound. */
  costPartial: boolean;
  /** Milliseconds since the first event that counts. */
  elapsed: number;
}

const add = (sum: number | null, value: number): number | null => (Number.isNaN(value) ? sum : (sum ?? 0) + value);

function statusAfter(before: SessionStatus, pending: number, type: string, status: string | null): SessionStatus {
  if (type === 'session_start' || type === 'branch') return 'queued';
  if (type === 'session_end') return (status as SessionStatus | null) ?? 'finished';
  if (type === 'user_message') return before === 'running' || before === 'waiting' || before === 'paused' ? before : 'queued';
  if (type === 'interrupt') return 'waiting';
  if (type === 'decision') return pending > 0 ? 'waiting' : 'queued';
  if (type === 'pause') return status === 'True' || status === 'true' ? 'paused' : 'queued';
  return LOOP.has(type) ? 'running' : before;
}

/**
 * Status, tokens and cost as they stood after event `seq`: a fold over the headers up to there. With `since`, what came
 * before that event took and cost nothing: a branch has only read it.
 */
export function totalsAt(headers: Headers, seq: number, since = headers.first): Totals {
  const end = Math.min(seq, headers.last) - headers.first;
  const begin = Math.max(0, since - headers.first);
  const totals: Totals = { seq, status: 'queued', tokensIn: null, tokensOut: null, cost: null, costPartial: false, elapsed: 0 };
  let pending = 0;
  for (let i = 0; i <= end; i += 1) {
    const type = headers.types[i] ?? '';
    if (type === 'interrupt') pending += 1;
    else if (type === 'decision') pending = Math.max(0, pending - 1);
    else if (type === 'session_end') pending = 0;
    totals.status = statusAfter(totals.status, pending, type, headers.statuses[i] ?? null);
    if (type !== 'llm_response' || i < begin) continue;
    totals.tokensIn = add(totals.tokensIn, headers.tokensIn[i] ?? Number.NaN);
    totals.tokensOut = add(totals.tokensOut, headers.tokensOut[i] ?? Number.NaN);
    totals.cost = add(totals.cost, headers.cost[i] ?? Number.NaN);
    totals.costPartial ||= Number.isNaN(headers.cost[i] ?? Number.NaN);
  }
  if (end > begin) totals.elapsed = (headers.ts[end] ?? 0) - (headers.ts[begin] ?? 0);
  return totals;
}
