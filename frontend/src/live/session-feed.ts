import { createStore, type StoreApi } from 'zustand';
import { fetchHeads } from '../api/sessions';
import type { HeadColumns, HeadRow, LogEvent, SessionStatus, WaitingFor } from '../api/types';
import { Headers } from '../model/headers';
import { parseSessionFrame } from './protocol';
import { type Connection, openSocket, type ReconnectingSocket, type SocketOptions } from './reconnecting-socket';
import { Streams } from './streams';

export interface FeedState {
  /** The whole log up to `head` has been read once. */
  loaded: boolean;
  error: unknown;
  connection: Connection;
  /** Seq of the newest event that the server told of. */
  head: number;
  status: { status: SessionStatus; waitingFor: WaitingFor | null } | null;
}

export interface SessionFeed {
  headers: Headers;
  streams: Streams;
  state: StoreApi<FeedState>;
  retry: () => void;
  close: () => void;
}

export interface FeedOptions {
  /** Replaced in tests. */
  heads?: (id: string, after: number, signal?: AbortSignal) => Promise<HeadColumns>;
  createSocket?: SocketOptions['create'];
}

/** Events that come within this time are shown together. */
const BATCH_MS = 50;

const rowOf = (event: LogEvent): HeadRow | null =>
  event.head
    ? { ...event.head, seq: event.seq, type: event.event_type, ts: event.ts, scope: event.scope ?? null, cause: event.cause ?? null, session: event.session_id }
    : null;

/**
 * Reads a session's headers and then follows it: subscribe with the last seq, drop what is doubled, fetch what
 * is missing. The log is the truth; whatever the socket loses is asked for again.
 */
export function openSessionFeed(id: string, { heads = fetchHeads, createSocket }: FeedOptions = {}): SessionFeed {
  const headers = new Headers();
  const streams = new Streams();
  const abort = new AbortController();
  const state = createStore<FeedState>(() => ({ loaded: false, error: null, connection: { state: 'connecting' }, head: 0, status: null }));
  let socket: ReconnectingSocket | null = null;
  let waiting: HeadRow[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let fetching: Promise<void> | null = null;

  async function readOn(): Promise<void> {
    for (;;) {
      const page = await heads(id, headers.count === 0 ? 0 : headers.last, abort.signal);
      if (abort.signal.aborted) return;
      headers.addColumns(page);
      state.setState({ head: Math.max(state.getState().head, page.head_seq) });
      if (page.next === null) return;
    }
  }

  /** One read at a time; who asks while one runs, waits for that one. */
  function catchUp(): Promise<void> {
    fetching ??= readOn().finally(() => {
      fetching = null;
    });
    return fetching;
  }

  function flush(): void {
    timer = undefined;
    const rows = waiting;
    waiting = [];
    if (!headers.addRows(rows)) void catchUp().catch(failed);
    for (const row of rows) if (row.type === 'llm_response' || row.type === 'llm_error') streams.drop(row.cause ?? 0);
  }

  function takeEvents(events: LogEvent[]): void {
    const rows = events.map(rowOf);
    if (rows.includes(null)) void catchUp().catch(failed);
    waiting.push(...rows.filter((row) => row !== null));
    state.setState({ head: Math.max(state.getState().head, events.at(-1)?.seq ?? 0) });
    timer ??= setTimeout(flush, BATCH_MS);
  }

  function startOver(): void {
    waiting = [];
    headers.clear();
    state.setState({ loaded: false, head: 0 });
    socket?.close();
    load();
  }

  function onFrame(data: unknown): void {
    const frame = parseSessionFrame(data);
    if (frame === null) return;
    if (frame.type === 'events') takeEvents(frame.events);
    else if (frame.type === 'delta') streams.take(frame);
    else if (frame.type === 'reset') startOver();
    else if (frame.type === 'head') {
      state.setState({ head: Math.max(state.getState().head, frame.seq), status: { status: frame.status, waitingFor: frame.waiting_for } });
    }
  }

  function follow(): void {
    socket = openSocket({
      address: () => `/ws/sessions/${id}?after=${headers.count === 0 ? 0 : headers.last}&bodies=0`,
      onFrame,
      onConnection: (connection) => state.setState({ connection }),
      create: createSocket,
    });
  }

  function failed(error: unknown): void {
    if (!abort.signal.aborted) state.setState({ error });
  }

  function load(): void {
    state.setState({ error: null });
    catchUp().then(() => {
      if (abort.signal.aborted) return;
      state.setState({ loaded: true });
      follow();
    }, failed);
  }

  load();
  return {
    headers,
    streams,
    state,
    retry: load,
    close() {
      abort.abort();
      clearTimeout(timer);
      socket?.close();
    },
  };
}
