import type { Headers } from './headers';

export type RowKind = 'model' | 'tool' | 'human' | 'agent' | 'system';
export type RowState = 'open' | 'ok' | 'failed' | 'waiting' | 'rejected' | 'blocked' | 'info';

/** One line of the list: an event, or the events that belong together (request and answer, call and result). */
export interface Row {
  /** Seq of the event that opened it; also its key. */
  seq: number;
  /** Seq of the newest event that belongs to it. */
  last: number;
  /** Seq of the event that brought its answer, or null while there is none. */
  settled: number | null;
  type: string;
  /** Under which word the list tells of it: its type, or what its type means here. */
  word: string;
  kind: RowKind;
  name: string;
  label: string;
  /** The label before its decision came; null while there is none. */
  asked: string | null;
  state: RowState;
  /** A word to show beside: cache, recorded, the verdict of a guard, the decision. */
  note: string | null;
  effectful: boolean;
  /** What a middleware asked the model for itself: no part of the conversation. */
  internal: boolean;
  depth: number;
  parent: number | null;
  ms: number;
  tokensIn: number;
  tokensOut: number;
  cost: number;
  members: number[];
}

const KINDS: Record<string, RowKind> = {
  llm_request: 'model',
  llm_response: 'model',
  llm_error: 'model',
  tool_call: 'tool',
  tool_result: 'tool',
  user_message: 'human',
  interrupt: 'human',
  decision: 'human',
  pause: 'human',
  steer: 'human',
  cancel: 'human',
  child_start: 'agent',
  child_end: 'agent',
};

/** Who speaks in an event. */
export const kindOf = (type: string): RowKind => KINDS[type] ?? 'system';

/** Events that join the row of their cause instead of opening one. */
const JOINS = new Set(['llm_attempt', 'llm_response', 'llm_error', 'tool_result', 'resume', 'decision', 'edit', 'child_end']);
/** Events that bring the answer of a row. */
const SETTLES = new Set(['llm_response', 'llm_error', 'tool_result', 'decision', 'child_end']);
const SOURCES_WORTH_SAYING = new Set(['cache', 'middleware', 'recorded', 'edited', 'person', 'stub', 'synthetic']);

/** "agent:root/3;tool:ask:c41.0;agent:child/0" → the activations in it, outermost first, without their steps. */
export function activationsOf(scope: string | null): string[] {
  const parts = (scope ?? '').split(';').filter((part) => part.startsWith('agent:'));
  return parts.map((part) => part.replace(/\/\d+$/, ''));
}

/**
 * The scope of an activation without steps and without what it does: "agent:root/3;tool:ask:c41.0;agent:child/0" is
 * "agent:root;tool:ask:c41.0;agent:child", so that two calls of one sub-agent are told apart.
 */
export function activationOf(scope: string | null): string {
  const parts = (scope ?? '').split(';');
  const last = parts.findLastIndex((part) => part.startsWith('agent:'));
  return parts.slice(0, last + 1).map((part) => (part.startsWith('agent:') ? part.replace(/\/\d+$/, '') : part)).join(';');
}

/** The activation that entered this one; "" when there is none. */
const parentOf = (activation: string): string => activationOf(activation.slice(0, Math.max(0, activation.lastIndexOf(';agent:'))));

/** How an event is called: a pause that is switched off is the end of one. */
export const wordOf = (type: string, status: string | null | undefined, tool?: string | null): string => {
  if (type === 'pause' && status?.toLowerCase() === 'false') return 'pause_off';
  // A question that no tool asks is called by what it is about: the budget, retries that are used up.
  return type === 'interrupt' && tool === null && status ? `interrupt.${status}` : type;
};

/** Builds rows from headers, and goes on where it stopped: a row that changes is replaced, never written to. */
export class RowIndex {
  rows: Row[] = [];
  version = 0;
  private next = 0;
  /** Where each event went: the index of its row, by the place of the event. */
  private readonly place: number[] = [];
  /** The newest model row per activation: what its tools and steps hang on. */
  private readonly lastModel = new Map<string, number>();
  /** The row that tells of the start of a sub-agent, per activation: what it does hangs below. */
  private readonly started = new Map<string, number>();
  private readonly headers: Headers;

  constructor(headers: Headers) {
    this.headers = headers;
  }

  /** The row that holds event `seq`, or undefined when there is none. */
  rowOf(seq: number): Row | undefined {
    const index = this.place[seq - this.headers.first];
    return index === undefined ? undefined : this.rows[index];
  }

  /** Takes in the events that have come since. Returns whether there were any. */
  extend(): boolean {
    if (this.next > this.headers.count) this.restart();
    const before = this.next;
    while (this.next < this.headers.count) {
      this.take(this.next);
      this.next += 1;
    }
    if (this.next > before) this.version += 1;
    return this.next > before;
  }

  private restart(): void {
    this.rows = [];
    this.place.length = 0;
    this.lastModel.clear();
    this.started.clear();
    this.next = 0;
  }

  private take(i: number): void {
    const type = this.headers.types[i] ?? '';
    const host = this.hostFor(i, type);
    if (host === null) this.open(i, type);
    else this.join(host, i, type);
  }

  /** The row that the event belongs to, or null when it opens its own. */
  private hostFor(i: number, type: string): number | null {
    if (type === 'step_end') return this.lastModel.get(activationOf(this.headers.scopes[i] ?? null)) ?? this.lastRow();
    if (!JOINS.has(type)) return null;
    const cause = this.headers.cause[i] ?? 0;
    const host = cause > 0 ? this.place[cause - this.headers.first] : type === 'decision' ? this.oldestQuestion() : undefined;
    if (host === undefined) return null;
    const row = this.rows[host];
    // A call that a person or a guard refused has a result, but never ran: it stands alone, where it can be seen.
    if (type === 'tool_result' && row?.kind !== 'tool') return null;
    if (type === 'decision' && row?.type !== 'interrupt') return null;
    return host;
  }

  private lastRow(): number | null {
    return this.rows.length === 0 ? null : this.rows.length - 1;
  }

  /** Logs of old do not say which question a decision answers: it is the one that has waited longest. */
  private oldestQuestion(): number | undefined {
    const index = this.rows.findIndex((row) => row.type === 'interrupt' && row.state === 'waiting');
    return index === -1 ? undefined : index;
  }

  /** What was still open is not any more: nobody will answer it. */
  private close(index: number, seq: number, note: string): void {
    const row = this.rows[index];
    if (row?.state === 'open' || row?.state === 'waiting') this.rows[index] = { ...row, state: 'info', note, settled: seq };
  }

  private closeAll(seq: number, note: string, which: (row: Row) => boolean): void {
    for (const [index, row] of this.rows.entries()) if (which(row)) this.close(index, seq, note);
  }

  private open(i: number, type: string): void {
    const { headers } = this;
    const seq = headers.first + i;
    if (type === 'session_end') this.closeAll(seq, 'cancelled', () => true);
    if (type === 'branch') this.closeAll(seq, 'abandoned', (row) => row.type === 'interrupt');
    const scope = headers.scopes[i] ?? null;
    const child = type === 'child_start' || type === 'child_end';
    const own = activationOf(scope);
    // A sub-agent starts and ends at the level of the agent that called it, and acts one level deeper.
    const activation = child ? parentOf(own) : own;
    const kind = kindOf(type);
    const internal = kind === 'model' && isInternal(scope);
    const hangs = kind === 'tool' || (scope !== null && type !== 'llm_request' && type !== 'session_end');
    const before = this.lastModel.get(activation);
    const above = hangs ? before : undefined;
    const parent = above ?? this.started.get(activation) ?? null;
    if (type === 'llm_request' && !internal && before !== undefined) this.close(before, seq, 'abandoned');
    const index = this.rows.length;
    this.rows.push({
      seq,
      last: seq,
      settled: null,
      type,
      word: wordOf(type, headers.statuses[i], headers.tools[i]),
      kind,
      name: nameOf(headers, i, type),
      label: labelOf(headers, i, type),
      asked: null,
      state: stateOf(headers, i, type),
      note: internal ? 'internal' : noteOf(headers, i, type),
      internal,
      effectful: type === 'tool_call' && headers.statuses[i] === 'effectful',
      depth: Math.max(0, activationsOf(activation).length - 1) * 2 + (above === undefined ? 0 : 1),
      parent: parent === null ? null : (this.rows[parent]?.seq ?? null),
      ms: headers.ms[i] ?? Number.NaN,
      tokensIn: headers.tokensIn[i] ?? Number.NaN,
      tokensOut: headers.tokensOut[i] ?? Number.NaN,
      cost: headers.cost[i] ?? Number.NaN,
      members: [seq],
    });
    this.place[i] = index;
    if (type === 'guardrail') this.judge(i);
    if (type === 'interrupt') this.suspend(i);
    if (type === 'llm_request' && !internal) this.lastModel.set(activation, index);
    if (type !== 'child_start') return;
    this.started.set(own, index);
    this.lastModel.delete(own);
  }

  /** A call that asks does not run until it is resumed: its function has ended with the question. */
  private suspend(i: number): void {
    const index = this.place[(this.headers.cause[i] ?? 0) - this.headers.first];
    const row = index === undefined ? undefined : this.rows[index];
    if (index !== undefined && row?.kind === 'tool' && row.state === 'open') this.rows[index] = { ...row, state: 'waiting' };
  }

  /** A guard takes back the answer that is its cause, or lets it stand after all. */
  private judge(i: number): void {
    const { headers } = this;
    const of = (headers.cause[i] ?? 0) - headers.first;
    const index = this.place[of];
    const row = index === undefined ? undefined : this.rows[index];
    if (index === undefined || row?.kind !== 'model') return;
    const passed = headers.statuses[i] === 'pass';
    const back = { state: 'blocked', note: 'withdrawn', label: '' } as const;
    this.rows[index] = passed ? { ...row, state: 'ok', note: null, label: headers.labels[of] ?? '' } : { ...row, ...back };
  }

  private join(index: number, i: number, type: string): void {
    const { headers } = this;
    const row = this.rows[index];
    if (!row) return;
    const seq = headers.first + i;
    const next: Row = { ...row, last: seq, members: [...row.members, seq] };
    if (type === 'llm_response') {
      next.label = headers.labels[i] ?? '';
      next.tokensIn = headers.tokensIn[i] ?? Number.NaN;
      next.tokensOut = headers.tokensOut[i] ?? Number.NaN;
      next.cost = headers.cost[i] ?? Number.NaN;
    }
    if (type === 'llm_error') next.label = headers.labels[i] ?? '';
    if (SETTLES.has(type)) next.settled = seq;
    if (type === 'llm_response' || type === 'llm_error' || type === 'tool_result' || type === 'child_end') {
      next.ms = headers.ms[i] ?? Number.NaN;
      if (Number.isNaN(next.ms)) next.ms = (headers.ts[i] ?? 0) - (headers.ts[row.seq - headers.first] ?? 0);
    }
    if (type === 'decision') {
      next.ms = (headers.ts[i] ?? 0) - (headers.ts[row.seq - headers.first] ?? 0);
      next.asked = row.label;
      // What would have happened is not what did happen when a person changed the call.
      next.label = [headers.statuses[i] === 'edit' ? '' : row.label, headers.labels[i]].filter(Boolean).join(' · ');
    }
    if (type !== 'step_end' && type !== 'llm_attempt' && type !== 'resume' && type !== 'edit') {
      next.state = stateOf(headers, i, type);
      next.note = noteOf(headers, i, type) ?? row.note;
    } else if (type !== 'step_end') next.state = type === 'edit' ? row.state : 'open';
    this.rows[index] = next;
    this.place[i] = index;
  }
}

/** Whether a scope is that of a middleware's own doing: its last segment says so. */
const isInternal = (scope: string | null): boolean => (scope ?? '').split(';').at(-1)?.startsWith('mw:') ?? false;

function nameOf(headers: Headers, i: number, type: string): string {
  if (type === 'llm_request') return headers.labels[i] ?? '';
  return headers.tools[i] ?? '';
}

/** What stands behind the name; a question without words has its kind in their place, which is its name. */
function labelOf(headers: Headers, i: number, type: string): string {
  const label = headers.labels[i] ?? '';
  return type === 'llm_request' || (type === 'interrupt' && label === headers.statuses[i]) ? '' : label;
}

function stateOf(headers: Headers, i: number, type: string): RowState {
  if (headers.error[i] === 1) return type === 'guardrail' ? 'blocked' : 'failed';
  const status = headers.statuses[i] ?? null;
  if (type === 'llm_request' || type === 'tool_call' || type === 'child_start') return 'open';
  if (type === 'interrupt') return 'waiting';
  if (type === 'decision') return status === 'reject' || status === 'give_up' || status === 'did_not' ? 'rejected' : 'ok';
  if (type === 'llm_response' || type === 'tool_result' || type === 'child_end') return 'ok';
  if (type === 'session_end') return status === 'finished' ? 'ok' : 'info';
  return 'info';
}

function noteOf(headers: Headers, i: number, type: string): string | null {
  const status = headers.statuses[i] ?? null;
  if (type === 'llm_response' || type === 'tool_result') return status !== null && SOURCES_WORTH_SAYING.has(status) ? status : null;
  if (type === 'guardrail' || type === 'decision' || type === 'session_end' || type === 'llm_error') return status;
  return null;
}
