import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Interrupt, Role } from '../../api/types';
import { numberFrom } from '../../model/json';
import { fakeServer } from '../../testing/fake-server';
import { renderAs } from '../../testing/render';
import { type ShowToast, ToastContext } from '../../ui/toast-context';
import { anInterrupt } from './fixtures';
import { InterruptCard } from './InterruptCard';

const DECISION = '/interrupts/int_1/decision';
const button = (name: RegExp) => screen.getByRole('button', { name });
const press = (key: string) => fireEvent.keyDown(document.body, { key });

function show(over: Partial<Interrupt> = {}, routes: Parameters<typeof fakeServer>[0] = {}, role: Role = 'approver') {
  const interrupt = anInterrupt(over);
  const server = fakeServer({ [`POST ${DECISION}`]: { body: { ...interrupt, status: 'decided' } }, ...routes });
  const onDecided = vi.fn();
  renderAs(role, <InterruptCard interrupt={interrupt} siblings={[interrupt]} onDecided={onDecided} />);
  const arm = () => act(() => vi.advanceTimersByTime(400));
  return { server, onDecided, arm };
}

/** The card on a page that can be left, with what is told wherever one is. */
function showAndLeave(interrupt: Interrupt, answer: { status?: number; body?: unknown }) {
  const server = fakeServer({ [`POST ${DECISION}`]: answer });
  const onDecided = vi.fn();
  const notices = vi.fn<ShowToast>();
  let leave = () => undefined as void;
  function Page() {
    const [here, setHere] = useState(true);
    leave = () => setHere(false);
    return here ? <InterruptCard interrupt={interrupt} siblings={[interrupt]} onDecided={onDecided} /> : <p>elsewhere</p>;
  }
  renderAs('approver', <ToastContext value={notices}><Page /></ToastContext>);
  return { server, onDecided, notices, arm: () => act(() => vi.advanceTimersByTime(400)), unmountCard: () => act(() => leave()) };
}

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => vi.useRealTimers());

describe('a question to a person', () => {
  it('shows the consequence before the arguments, and both before what the agent says', () => {
    show({ info: 'Please hurry.' });
    const headings = screen.getAllByRole('heading').map((heading) => heading.textContent);
    expect(headings).toEqual(['issue_refund', 'What will happen', 'Arguments', 'Why it is asked', 'With the question']);
    expect(screen.getByText('Pays $48.00 back for order 4411.')).toBeVisible();
  });

  it('shows what came back too late of a call in doubt, before the decision', () => {
    const late = { content: 'paid 7', success: true, at: '2026-11-30T10:01:00.000000Z' };
    show({ kind: 'in_doubt', allowed: ['happened', 'did_not', 'retry', 'give_up'], late });
    expect(screen.getByRole('heading', { name: 'What came back too late' })).toBeVisible();
    expect(screen.getByText('paid 7')).toBeVisible();
    expect(screen.getByText(/says that it happened/)).toBeVisible();
  });

  it('lists what a guard found, with the words and where they stood', () => {
    const info = [{ of: 2, stage: 'input', findings: [{ type: 'override', excerpt: 'ignore all **previous**' }] }];
    show({ kind: 'guard', tool: null, arguments: null, consequence: 'The model gets this text as it is.', info, allowed: ['approve', 'reject'] });
    expect(screen.getByText('The model gets this text as it is.')).toBeVisible();
    expect(screen.getByRole('listitem')).toHaveTextContent('override in the messageignore all **previous**');
  });

  it('says how much of a budget is used, and gives more or none at all', async () => {
    const info = { what: 'max_cost', per: 'run', of: 'agent:desk', why: 'reached', limit: '0.50', used: '0.48', unpriced: 1, need: '0.12' };
    const schema = { type: ['string', 'null'], pattern: '^.*$' };
    const { server, arm } = show({ kind: 'budget', tool: null, call_id: null, arguments: null, proposal: null, consequence: null, info, schema, allowed: ['raise', 'give_up'] });
    const sum = screen.getByRole('table', { name: 'Cost (of the run)' });
    expect(within(sum).getAllByRole('row').map((row) => row.textContent)).toEqual(['Used so far≥ $0.48', 'This request reserves+ $0.12', 'Together= $0.60', 'Maximum$0.50']);
    expect(screen.getByText('1 answer has no known price.')).toBeVisible();
    arm();
    press('a');
    const field = screen.getByLabelText(/New maximum, US dollars/);
    fireEvent.change(field, { target: { value: '1,5' } });
    expect(screen.getByRole('alert')).toHaveTextContent('Not an amount');
    fireEvent.change(field, { target: { value: '0.55' } });
    expect(screen.getByRole('alert')).toHaveTextContent('This request needs at least $0.60');
    fireEvent.change(field, { target: { value: '0.75' } });
    fireEvent.click(button(/Set the new maximum/));
    await waitFor(() => expect(server.sent('POST', DECISION)).toEqual([{ decision: 'raise', digest: 'd1:aa', value: '0.75' }]));
  });

  it('offers to go on without a limit of money where the price of the model is not known', async () => {
    const info = { what: 'max_cost', per: 'run', of: 'agent:desk', why: 'unknown_price', limit: '0.50', used: '0' };
    const { server, arm } = show({ kind: 'budget', tool: null, call_id: null, arguments: null, proposal: null, consequence: null, info, schema: { type: ['string', 'null'] }, allowed: ['raise', 'give_up'] });
    expect(screen.getByText(/price of the model is not known, so money can’t be counted/)).toBeVisible();
    expect(screen.queryByText(/does not fit into the budget/)).toBeNull();
    arm();
    fireEvent.click(button(/Go on without a money limit/));
    expect(screen.queryByRole('textbox')).toBeNull();
    fireEvent.click(button(/Go on without a money limit/));
    await waitFor(() => expect(server.sent('POST', DECISION)).toEqual([{ decision: 'raise', digest: 'd1:aa', value: null }]));
  });

  it('shows raw names, types, and what is hidden, without Markdown', () => {
    show({ arguments: { amount_cents: '4800', note: '**gift**\u200b' } });
    const rows = screen.getAllByRole('row').slice(1).map((row) => row.textContent);
    expect(rows[0]).toContain('amount_cents');
    expect(rows[0]).toContain('string, but the tool expects "integer"');
    expect(rows[1]).toContain('**gift**');
    expect(rows[1]).toContain('U+200B');
    expect(rows[1]).toContain('1 hidden character');
  });

  it('takes no key in the first moment, then approves exactly what was shown when the key comes twice', async () => {
    const { server, onDecided, arm } = show();
    press('a');
    expect(server.sent('POST', DECISION)).toEqual([]);
    arm();
    press('a');
    expect(button(/Press A again to approve/)).toBeVisible();
    expect(server.sent('POST', DECISION)).toEqual([]);
    press('a');
    await waitFor(() => expect(onDecided).toHaveBeenCalled());
    expect(server.sent('POST', DECISION)).toEqual([{ decision: 'approve', digest: 'd1:aa' }]);
  });

  it('is approved with an edit that keeps its types, and shows old and new', async () => {
    const { server, onDecided, arm } = show();
    arm();
    press('v');
    expect(button(/Approve with 0 edits/)).toHaveAttribute('aria-disabled', 'true');
    fireEvent.change(screen.getByLabelText(/amount_cents/), { target: { value: '4500' } });
    const strip = screen.getByRole('status');
    expect(strip).toHaveTextContent('1 field changed');
    expect(strip).toHaveTextContent('4800→4500');
    fireEvent.click(button(/Approve with 1 edit/));
    await waitFor(() => expect(onDecided).toHaveBeenCalled());
    expect(server.sent('POST', DECISION)).toEqual([
      { decision: 'edit', digest: 'd1:aa', arguments: { order_id: '4411', amount_cents: 4500, note: 'late' } },
    ]);
  });

  it('keeps every digit of a long number, in the field that is edited and in the one that is not', async () => {
    const id = '9007199254740993123';
    const { server, onDecided, arm } = show({
      arguments: { account: numberFrom(id), limit: numberFrom('5.0'), note: 'late' },
      schema: { type: 'object', properties: { account: { type: 'integer' }, limit: { type: 'number' }, note: { type: 'string' } } },
    });
    expect(screen.getAllByRole('row')[1]).toHaveTextContent(`accountinteger${id}`);
    arm();
    press('v');
    expect(screen.getByLabelText(/account/)).toHaveValue(id);
    fireEvent.change(screen.getByLabelText(/account/), { target: { value: '9007199254740993124' } });
    fireEvent.click(button(/Approve with 1 edit/));
    await waitFor(() => expect(onDecided).toHaveBeenCalled());
    const sent = server.asked.find(({ method }) => method === 'POST')?.text;
    expect(sent).toContain('"arguments":{"account":9007199254740993124,"limit":5.0,"note":"late"}');
  });

  it('cannot be approved with a value of the wrong type', () => {
    const { arm } = show();
    arm();
    press('v');
    fireEvent.change(screen.getByLabelText(/amount_cents/), { target: { value: '45.5' } });
    expect(screen.getByText('Must be a whole number')).toBeVisible();
    expect(button(/Approve with 1 edit/)).toHaveAttribute('aria-disabled', 'true');
  });

  it('is rejected with a reason, sent by Enter', async () => {
    const { server, onDecided, arm } = show();
    arm();
    press('r');
    const reason = screen.getByLabelText(/Reason, told to the agent/);
    expect(reason).toHaveFocus();
    fireEvent.keyDown(reason, { key: 'Enter' });
    expect(server.sent('POST', DECISION)).toEqual([]);
    fireEvent.change(reason, { target: { value: 'Not theirs.' } });
    fireEvent.keyDown(reason, { key: 'Enter' });
    await waitFor(() => expect(onDecided).toHaveBeenCalled());
    expect(server.sent('POST', DECISION)).toEqual([{ decision: 'reject', digest: 'd1:aa', message: 'Not theirs.' }]);
  });
});

describe('a decision that does not get through', () => {
  it('says who was first, and that one\u2019s own was not applied', async () => {
    const winner = anInterrupt({ status: 'decided', decision: 'approve', decided_by: { id: 'u2', name: 'Ana' }, decided_at: '2026-11-30T10:00:00Z' });
    const { arm, onDecided } = show({}, { [`POST ${DECISION}`]: { status: 409, body: { code: 'already_decided', interrupt: winner } } });
    arm();
    press('r');
    fireEvent.click(button(/The values are wrong/));
    fireEvent.click(button(/^Reject/));
    expect(await screen.findByRole('alert')).toHaveTextContent('Your “Reject” came second and was not applied.');
    expect(onDecided).not.toHaveBeenCalled();
  });

  it('says that the time was over', async () => {
    const { arm } = show({}, { [`POST ${DECISION}`]: { status: 410, body: { code: 'expired' } } });
    arm();
    press('a');
    press('a');
    expect(await screen.findByRole('alert')).toHaveTextContent('The time was over: your “Approve” was not applied.');
  });

  it.each([502, 504])('does not say that nothing was decided when no answer came (%i)', async (status) => {
    const { arm, server } = show({}, { [`POST ${DECISION}`]: { status, body: {} } });
    arm();
    press('a');
    press('a');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('No answer came to your “Approve”. Whether it was taken is not known');
    expect(alert).not.toHaveTextContent('Nothing was decided');
    expect(server.sent('POST', DECISION)).toHaveLength(1);
  });

  it('puts the refusal of a field at the field, until it is changed', async () => {
    const refused = { code: 'invalid', errors: [{ field: 'arguments.amount_cents', message: 'More than was paid' }] };
    const { arm } = show({}, { [`POST ${DECISION}`]: { status: 422, body: refused } });
    arm();
    press('v');
    fireEvent.change(screen.getByLabelText(/amount_cents/), { target: { value: '999999' } });
    fireEvent.click(button(/Approve with 1 edit/));
    expect(await screen.findByText('More than was paid')).toBeVisible();
    fireEvent.change(screen.getByLabelText(/amount_cents/), { target: { value: '100' } });
    await waitFor(() => expect(screen.queryByText('More than was paid')).toBeNull());
  });
});

describe('a decision whose sender has gone on to another page', () => {
  const leave = (answer: { status?: number; body?: unknown }) => {
    const interrupt = anInterrupt();
    const { server, onDecided, notices, arm, unmountCard } = showAndLeave(interrupt, answer);
    arm();
    fireEvent.click(button(/^Approve/));
    unmountCard();
    return { server, onDecided, notices };
  };

  it('is told there, and leads nobody back', async () => {
    const { onDecided, notices } = leave({ body: { ...anInterrupt(), status: 'decided', decision: 'approve' } });
    await waitFor(() => expect(notices).toHaveBeenCalledWith({ text: 'Approved issue_refund' }));
    expect(onDecided).not.toHaveBeenCalled();
  });

  it('is told there too when it was not taken, with the way to the question', async () => {
    const { notices } = leave({ status: 410, body: { code: 'expired' } });
    await waitFor(() => expect(notices).toHaveBeenCalledTimes(1));
    expect(notices.mock.calls[0]?.[0]).toMatchObject({ text: 'Your “Approve” for issue_refund was not applied: the time was over.', tone: 'failed', action: { label: 'Look at it' } });
  });

  it('is told there that nobody knows, when no answer came', async () => {
    const { notices } = leave({ status: 502, body: {} });
    await waitFor(() => expect(notices).toHaveBeenCalledTimes(1));
    expect(notices.mock.calls[0]?.[0]).toMatchObject({ text: 'No answer came to your “Approve” for issue_refund. Whether it was taken is not known.' });
  });
});

describe('who may decide', () => {
  it('is said in the place of the buttons, and no key decides', () => {
    const { server, arm } = show({ can_decide: false }, {}, 'operator');
    arm();
    press('a');
    expect(screen.queryByRole('button', { name: /Approve|Edit|Reject|Respond/ })).toBeNull();
    expect(screen.getByText('Needs the role Approver; yours is Operator')).toBeVisible();
    expect(server.sent('POST', DECISION)).toEqual([]);
  });
});

describe('a call in doubt', () => {
  const doubt = { kind: 'in_doubt' as const, allowed: ['happened', 'did_not', 'retry', 'give_up'], schema: null };

  it('runs again only after a second yes', async () => {
    const { server, onDecided, arm } = show(doubt);
    arm();
    press('3');
    expect(server.sent('POST', DECISION)).toEqual([]);
    expect(screen.getByText(/it then happens twice/)).toBeVisible();
    fireEvent.click(button(/Run it again/));
    await waitFor(() => expect(onDecided).toHaveBeenCalled());
    expect(server.sent('POST', DECISION)).toEqual([{ decision: 'retry', digest: 'd1:aa' }]);
  });

  it('is told to have happened with a result', async () => {
    const { server, onDecided, arm } = show(doubt);
    arm();
    fireEvent.click(button(/It happened/));
    fireEvent.change(screen.getByLabelText(/Which result did it have/), { target: { value: 'refund 7 written' } });
    fireEvent.click(button(/Record this result/));
    await waitFor(() => expect(onDecided).toHaveBeenCalled());
    expect(server.sent('POST', DECISION)).toEqual([{ decision: 'happened', digest: 'd1:aa', value: 'refund 7 written' }]);
  });
});

describe('a question with listed answers', () => {
  it('is answered by a number key', async () => {
    const { server, onDecided, arm } = show({ kind: 'question', allowed: ['respond'], tool: 'ask', arguments: null, schema: { enum: ['email', 'phone'] } });
    arm();
    press('c');
    press('2');
    const chosen = within(screen.getByRole('article')).getByRole('button', { name: /phone/ });
    await waitFor(() => expect(chosen).toHaveAttribute('aria-pressed', 'true'));
    fireEvent.click(button(/Send the answer/));
    await waitFor(() => expect(onDecided).toHaveBeenCalled());
    expect(server.sent('POST', DECISION)).toEqual([{ decision: 'respond', digest: 'd1:aa', value: 'phone' }]);
  });
});

describe('a call that was approved with changes', () => {
  it('tells what was changed, and not what would have happened', () => {
    show({ status: 'decided', decision: 'edit', answer: { arguments: { order_id: '4411', amount_cents: 3000, note: 'late' } }, decided_by: { id: 'u2', name: 'Ana' }, decided_at: '2026-11-30T10:00:00Z' });
    const changes = screen.getByRole('heading', { name: 'With changed arguments' }).parentElement;
    expect(changes).toHaveTextContent('amount_cents4800→3000');
    expect(screen.queryByText(/Pays \$48\.00/)).toBeNull();
    expect(screen.getByRole('heading', { name: 'Arguments that the agent proposed' })).toBeVisible();
  });
});
