import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HeadRow, LogEvent, Session } from '../../api/types';
import { fakeServer } from '../../testing/fake-server';
import { FakeSocket } from '../../testing/fake-socket';
import { refundScript } from '../../testing/headers-fixture';
import { renderAs } from '../../testing/render';
import { screenOf } from '../../testing/screen';
import { SessionPage } from './SessionPage';

const script = refundScript();
const seqOf = (type: string) => script.rows.findIndex((row) => row.type === type) + 1;

const session: Session = {
  id: 'sess_1', root: 'sess_1', parent: null, fork_seq: null, agent: 'refund-desk', agent_name: 'Refund desk', version: 1,
  published: true,
  model: 'scripted:refund', title: 'Refund A-1', tags: [], status: 'running', waiting_for: null, lost: false, due_at: null,
  head_seq: script.rows.length, run: 1, usage: { input: 1, output: 1, cached: null, reasoning: null }, cost: null,
  started_at: '2026-11-30T10:00:00Z', updated_at: '2026-11-30T10:00:00Z', ended_at: null, outcome: null, answer: null,
  pending: 0, error: null, last: null, imported: false,
};

const bodies: Record<string, LogEvent['payload']> = {
  llm_response: { message: { role: 'assistant', content: 'Looking it up.', tool_calls: [] }, stop_reason: 'stop', source: 'live', ms: 900 },
  tool_call: { call_id: 'c8.0', tool: 'issue_refund', arguments: { amount: 48 }, effectful: true, idempotent: false, key: 'sess_1:12' },
};

function event(row: HeadRow): LogEvent {
  const payload = bodies[row.type] ?? { message: { role: 'user', content: `body of ${row.seq}` } };
  return { schema_version: 1, session_id: 'sess_1', seq: row.seq, event_type: row.type, ts: row.ts, scope: row.scope, cause: row.cause, hash: 'ab', payload, head: row };
}

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

const address = () => screen.getByTestId('address').textContent;

async function open(query = '', over: Partial<Session> = {}, known = script.rows.length) {
  const { columns, data } = script.columns();
  const part = Object.fromEntries(Object.entries(data).map(([name, cells]) => [name, cells.slice(0, known)]));
  const routes: Parameters<typeof fakeServer>[0] = {
    'GET /sessions/sess_1': { body: { ...session, ...over } },
    'GET /sessions/sess_1/heads': { body: { columns, data: part, head_seq: known, next: null } },
    'POST /sessions/sess_1/pause': { body: { ...session, status: 'paused' } },
    'POST /sessions/sess_1/messages': { status: 202, body: event(script.rows[1]!) },
  };
  for (const row of script.rows) routes[`GET /sessions/sess_1/events/${row.seq}`] = { body: event(row) };
  const server = fakeServer(routes);
  renderAs('operator', <><SessionPage id="sess_1" /><Address /></>, `/s/sess_1${query}`);
  await screen.findByRole('treegrid');
  act(() => FakeSocket.latest.open());
  return server;
}

const rows = () => screen.getAllByRole('row').map((row) => row.getAttribute('aria-label') ?? row.textContent);
const press = (key: string) => act(() => fireEvent.keyDown(document.body, { key }));

beforeEach(() => {
  FakeSocket.opened = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  screenOf(1440, 900);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('the session page', () => {
  it('shows rows that can be read aloud, idle time with its reason, and the status in words', async () => {
    await open();
    expect(screen.getByRole('heading', { name: 'Refund A-1' })).toBeVisible();
    expect(screen.getByRole('banner')).toHaveTextContent('Running');
    expect(rows()).toEqual(
      expect.arrayContaining([
        'Event 2, Message, Please refund order A-1, recorded',
        'Event 5, Tool call, lookup_order, order=A-1, 120 ms, ok',
        '01:35 idle: waited for a person',
      ].map((text) => expect.stringContaining(text.replace(', recorded', '')))),
    );
  });

  it('opens where a link says, as of that event', async () => {
    const asked = seqOf('interrupt');
    await open(`?at=${asked}`);
    expect(screen.getByText(`as of #${asked}: Waiting`)).toBeVisible();
    expect(rows().find((row) => row?.includes('Question'))).toContain('waits');
    expect(screen.getByText('Replay')).toBeVisible();
    expect(screen.getByRole('slider', { name: 'Playhead' })).toHaveAttribute('aria-valuenow', String(asked));
  });

  it('steps by key, keeps the place in the address, and goes live again', async () => {
    await open('?at=3');
    press('.');
    expect(screen.getByText('as of #4: Running')).toBeVisible();
    await waitFor(() => expect(address()).toContain('at=4'));
    press('i');
    expect(screen.getByRole('slider')).toHaveAttribute('aria-valuenow', String(seqOf('interrupt')));
    press('l');
    expect(screen.queryByText('Replay')).toBeNull();
    await waitFor(() => expect(address()).not.toContain('at='));
  });

  it('selects without moving the playhead', async () => {
    await open('?at=3');
    const target = screen.getAllByRole('row').find((row) => row.getAttribute('aria-label')?.includes('Event 5'));
    fireEvent.click(within(target!).getByText('lookup_order'));
    await waitFor(() => expect(address()).toContain('e=5'));
    expect(screen.getByRole('slider')).toHaveAttribute('aria-valuenow', '3');
    expect(await screen.findByText('sess_1:12')).toBeVisible();
  });

  it('shows the answer while it is written, then as it is recorded', async () => {
    await open('', { head_seq: 3 }, 3);
    act(() => FakeSocket.latest.send({ type: 'delta', request: 3, attempt: 1, part: 'text', at: 0, text: 'Look' }));
    expect(await screen.findAllByText('Look')).not.toHaveLength(0);
    act(() => FakeSocket.latest.send({ type: 'events', events: [event(script.rows[3]!)] }));
    expect(await screen.findByText('Looking it up.')).toBeVisible();
    expect(screen.queryByText('Look')).toBeNull();
  });

  it('follows what happens, and a socket tells the status', async () => {
    await open('', { head_seq: 5 }, 5);
    act(() => {
      FakeSocket.latest.send({ type: 'events', events: script.rows.slice(5, 10).map(event) });
      FakeSocket.latest.send({ type: 'head', seq: 10, status: 'waiting', waiting_for: 'person' });
    });
    expect(await screen.findByText('Waiting for a person')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('slider')).toHaveAttribute('aria-valuemax', '10'));
  });

  it('says why it waits for code, and that nothing is lost', async () => {
    const error = { code: 'code_missing', message: "strategy 'vote' is not known." };
    await open('', { head_seq: 5, error }, 5);
    act(() => FakeSocket.latest.send({ type: 'head', seq: 5, status: 'waiting', waiting_for: 'code' }));
    expect(await screen.findByText('Waiting for code')).toBeVisible();
    expect(await screen.findByText("strategy 'vote' is not known.")).toBeVisible();
    expect(screen.getByText(/Nothing is lost/)).toBeVisible();
  });

  it('filters, says how much is hidden, and gives it back', async () => {
    await open();
    const field = screen.getByRole('textbox', { name: 'Filter' });
    fireEvent.change(field, { target: { value: 'kind:tool is:error' } });
    expect(await screen.findByText(/rows are hidden by the filter/)).toBeVisible();
    expect(address()).toContain('f=kind');
    await userEvent.click(screen.getAllByRole('button', { name: 'Clear the filter' })[0]!);
    expect(await screen.findByRole('treegrid')).toBeVisible();
  });

  it('draws the same events as bars on a time axis, by key and by link, with what was idle folded', async () => {
    await open();
    press('1');
    await waitFor(() => expect(address()).toContain('view=waterfall'));
    const bars = () => screen.getAllByRole('row').flatMap((row) => [...row.querySelectorAll<HTMLElement>('[style*="width"]')].map((bar) => [row.getAttribute('aria-label')?.split(',')[0], Number.parseFloat(bar.style.left), Number.parseFloat(bar.style.width)] as const));
    const [first, second] = ['Event 3', 'Event 5'].map((name) => bars().find(([row]) => row === name)!);
    expect(second![1]).toBeGreaterThan(first![1] + first![2]);
    expect(first![2] / second![2]).toBeCloseTo(900 / 120, 0);
    expect(bars().find(([row]) => row === `Event ${seqOf('interrupt')}`)![2]).toBeLessThan(6);
    press('z');
    await waitFor(() => expect(address()).toContain('zoom=all'));
    press('2');
    await waitFor(() => expect(bars()).toEqual([]));
  });

  it('commands the live session, and says so when the playhead is elsewhere', async () => {
    const server = await open('?at=4');
    press('s');
    const field = await screen.findByRole('textbox', { name: 'Next message' });
    expect(screen.getByText(/Acts on the live session \(now at #18\), not on #4/)).toBeVisible();
    fireEvent.change(field, { target: { value: 'And order A-2?' } });
    await userEvent.click(screen.getByRole('button', { name: /Send/ }));
    await waitFor(() => expect(server.sent('POST', '/sessions/sess_1/messages')).toEqual([{ content: 'And order A-2?', policy: 'enqueue' }]));
  });

  it('takes no single key while a field has the focus', async () => {
    const server = await open();
    const field = screen.getByRole('textbox', { name: 'Filter' });
    await userEvent.type(field, 'p');
    expect(server.sent('POST', '/sessions/sess_1/pause')).toEqual([]);
    press('p');
    await waitFor(() => expect(server.sent('POST', '/sessions/sess_1/pause')).toHaveLength(1));
  });
});
