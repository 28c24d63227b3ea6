// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HeadRow, LogEvent } from '../api/types';
import { FakeSocket } from '../testing/fake-socket';
import { longScript } from '../testing/headers-fixture';
import { openSessionFeed, type SessionFeed } from './session-feed';

const script = longScript(60);

function event(row: HeadRow): LogEvent {
  return { schema_version: 1, session_id: 'sess_1', seq: row.seq, event_type: row.type, ts: row.ts, scope: row.scope, cause: row.cause, hash: '', payload: null, head: row };
}

const events = (from: number, to: number) => ({ type: 'events', events: script.rows.slice(from - 1, to).map(event) });

/** A server that has the first `known` events, pages of 20. */
function server(known: { seq: number }) {
  return vi.fn(async (_id: string, after: number) => {
    const rows = script.rows.slice(after, Math.min(after + 20, known.seq));
    const { columns, data } = script.columns();
    const part = Object.fromEntries(Object.entries(data).map(([name, cells]) => [name, cells.slice(after, after + rows.length)]));
    const next = after + rows.length < known.seq ? after + rows.length : null;
    return { columns, data: part, head_seq: known.seq, next };
  });
}

describe('openSessionFeed', () => {
  let feed: SessionFeed;
  const known = { seq: 30 };
  let heads = server(known);

  beforeEach(async () => {
    vi.useFakeTimers();
    FakeSocket.opened = [];
    known.seq = 30;
    heads = server(known);
    feed = openSessionFeed('sess_1', { heads, createSocket: FakeSocket.create });
    await vi.waitFor(() => expect(feed.state.getState().loaded).toBe(true));
    FakeSocket.latest.open();
  });

  afterEach(() => {
    feed.close();
    vi.useRealTimers();
  });

  it('reads all pages, then follows from the last seq', () => {
    expect(feed.headers.count).toBe(30);
    expect(heads).toHaveBeenCalledTimes(2);
    expect(FakeSocket.latest.url).toMatch(/^ws:.*\/ws\/sessions\/sess_1\?after=30&bodies=0$/);
    expect(feed.state.getState().connection).toEqual({ state: 'live' });
  });

  it('takes doubled events once', async () => {
    FakeSocket.latest.send(events(29, 32));
    FakeSocket.latest.send(events(31, 34));
    await vi.advanceTimersByTimeAsync(60);
    expect(feed.headers.last).toBe(34);
  });

  it('fetches the range that was lost', async () => {
    known.seq = 45;
    FakeSocket.latest.send(events(40, 45));
    await vi.advanceTimersByTimeAsync(60);
    await vi.waitFor(() => expect(feed.headers.last).toBe(45));
    expect(heads).toHaveBeenLastCalledWith('sess_1', 30, expect.anything());
    expect(feed.headers.types).toEqual(script.rows.slice(0, 45).map((row) => row.type));
  });

  it('comes back with the seq it has, at once when it was too slow', async () => {
    FakeSocket.latest.send(events(31, 33));
    await vi.advanceTimersByTimeAsync(60);
    FakeSocket.latest.drop(4408);
    expect(FakeSocket.opened).toHaveLength(2);
    expect(FakeSocket.latest.url).toContain('after=33');
  });

  it('waits before it comes back after a lost connection, and says so', async () => {
    FakeSocket.latest.drop(1006);
    expect(FakeSocket.opened).toHaveLength(1);
    expect(feed.state.getState().connection).toMatchObject({ state: 'offline' });
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSocket.opened).toHaveLength(2);
  });

  it('does not come back where it may not', async () => {
    FakeSocket.latest.drop(4403);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.opened).toHaveLength(1);
    expect(feed.state.getState().connection).toMatchObject({ state: 'offline', final: 4403 });
  });

  it('passes over frames that it does not know', async () => {
    FakeSocket.latest.send({ type: 'weather', sunny: true });
    FakeSocket.latest.send({ type: 'events', events: [{ nothing: 1 }] });
    FakeSocket.latest.send(events(31, 31));
    await vi.advanceTimersByTimeAsync(60);
    expect(feed.headers.last).toBe(31);
  });

  it('starts over when it is ahead of the server', async () => {
    known.seq = 12;
    FakeSocket.latest.send({ type: 'reset', after: 12 });
    await vi.waitFor(() => expect(FakeSocket.opened).toHaveLength(2));
    expect(feed.headers.count).toBe(12);
    expect(FakeSocket.latest.url).toContain('after=12');
  });

  it('shows passing text until the answer is in the log', async () => {
    const request = script.rows.findIndex((row) => row.seq > 30 && row.type === 'llm_request') + 1;
    const delta = (at: number, text: string, attempt = 1) => ({ type: 'delta', request, attempt, part: 'text', at, text });
    FakeSocket.latest.send(delta(0, 'Hel'));
    FakeSocket.latest.send(delta(3, 'lo'));
    FakeSocket.latest.send(delta(3, 'lo'));
    expect(feed.streams.get().get(request)?.parts).toEqual([{ part: 'text', text: 'Hello', holed: false }]);
    FakeSocket.latest.send(delta(9, 'you'));
    expect(feed.streams.get().get(request)?.parts[0]).toMatchObject({ text: 'Hello … you', holed: true });
    FakeSocket.latest.send(delta(0, 'Again', 2));
    expect(feed.streams.get().get(request)).toMatchObject({ attempt: 2, parts: [{ text: 'Again' }] });
    FakeSocket.latest.send(events(31, request + 1));
    await vi.advanceTimersByTimeAsync(60);
    expect(feed.streams.get().size).toBe(0);
  });
});
