import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors';
import { choicesOf, decisionOf } from './choices';
import { anInterrupt } from './fixtures';
import { errorsByArgument, refusalOf } from './refusal';
import { orderPending, shownAddress, siblingsOf } from './turns';

const verbs = (interrupt = anInterrupt()) => choicesOf(interrupt).map(({ verb, key, needs }) => [verb, key, needs]);
const choice = (verb: string, interrupt = anInterrupt()) => {
  const found = choicesOf(interrupt).find((each) => each.verb === verb);
  if (!found) throw new Error(`${verb} is not offered`);
  return found;
};

describe('the decisions that are offered', () => {
  it('are those of the interrupt, with the keys of the house', () => {
    expect(verbs()).toEqual([
      ['approve', 'a', 'nothing'],
      ['edit', 'v', 'arguments'],
      ['respond', 'c', 'text'],
      ['reject', 'r', 'reason'],
    ]);
    expect(verbs(anInterrupt({ kind: 'guard', allowed: ['approve', 'reject'] })).map(([verb]) => verb)).toEqual(['approve', 'reject']);
    expect(verbs(anInterrupt({ kind: 'question', allowed: ['respond'] }))).toEqual([['respond', 'c', 'value']]);
  });

  it('for a call in doubt are numbered, and running it again is confirmed', () => {
    const doubt = anInterrupt({ kind: 'in_doubt', allowed: ['happened', 'did_not', 'retry', 'give_up'] });
    expect(verbs(doubt)).toEqual([
      ['happened', '1', 'value'],
      ['did_not', '2', 'nothing'],
      ['retry', '3', 'confirmation'],
      ['give_up', '4', 'confirmation'],
    ]);
    expect(verbs(anInterrupt({ kind: 'retries', allowed: ['retry', 'give_up'] }))[0]).toEqual(['retry', '1', 'nothing']);
  });

  it('leave out what this screen does not know', () => {
    expect(verbs(anInterrupt({ allowed: ['approve', 'quorum'] }))).toHaveLength(1);
  });
});

describe('the request of a decision', () => {
  it('carries the digest that was on screen', () => {
    expect(decisionOf(anInterrupt(), choice('approve'), {})).toEqual({ decision: 'approve', digest: 'd1:aa' });
  });

  it('is not complete without what it needs', () => {
    expect(decisionOf(anInterrupt(), choice('reject'), { message: '  ' })).toBeNull();
    expect(decisionOf(anInterrupt(), choice('edit'), { arguments: null })).toBeNull();
    const doubt = anInterrupt({ kind: 'in_doubt', allowed: ['happened'] });
    expect(decisionOf(doubt, choice('happened', doubt), {})).toBeNull();
  });

  it('takes every JSON value as an answer, null and false too', () => {
    const question = anInterrupt({ kind: 'question', allowed: ['respond'] });
    expect(decisionOf(question, choice('respond', question), { value: null })).toMatchObject({ value: null });
    expect(decisionOf(question, choice('respond', question), { value: false })).toMatchObject({ value: false });
  });

  it('answers an approval in words', () => {
    expect(decisionOf(anInterrupt(), choice('respond'), { message: ' Use the voucher. ' })).toEqual({
      decision: 'respond',
      digest: 'd1:aa',
      message: 'Use the voucher.',
    });
  });
});

describe('a decision that is refused', () => {
  it('tells who was first', () => {
    const winner = anInterrupt({ status: 'decided', decided_by: { id: 'u2', name: 'Ana' }, decision: 'approve' });
    const refusal = refusalOf(new ApiError(409, { code: 'already_decided', interrupt: winner }));
    expect(refusal).toEqual({ kind: 'lost', winner });
  });

  it('tells a changed question, an expired one and wrong fields apart', () => {
    expect(refusalOf(new ApiError(409, { code: 'digest_mismatch' })).kind).toBe('changed');
    expect(refusalOf(new ApiError(410, { code: 'expired' })).kind).toBe('expired');
    const fields = [{ field: 'arguments.amount_cents', message: 'too much' }];
    expect(refusalOf(new ApiError(422, { errors: fields }))).toMatchObject({ kind: 'invalid', fields });
    expect(refusalOf(new TypeError('x')).kind).toBe('failed');
  });

  it('puts the message of the server at its argument', () => {
    expect(errorsByArgument([{ field: 'body.arguments.amount_cents', message: 'too much' }, { field: 'arguments.to.0', message: 'no' }])).toEqual({
      amount_cents: 'too much',
      to: 'no',
    });
  });
});

describe('the order of the inbox', () => {
  const at = (id: string, over: Parameters<typeof anInterrupt>[0] = {}) => anInterrupt({ id, call_id: null, ...over });

  it('is mine first, then expiry, then age; a turn stays together', () => {
    const list = [
      at('theirs', { can_decide: false, expires_at: '2026-11-30T10:01:00Z' }),
      at('old', { created_at: '2026-11-30T09:00:00Z' }),
      at('turn-b', { call_id: 'c11.1', created_at: '2026-11-30T12:00:00Z' }),
      at('turn-a', { call_id: 'c11.0', expires_at: '2026-11-30T10:05:00Z' }),
    ];
    expect(orderPending(list).map(({ id }) => id)).toEqual(['turn-a', 'turn-b', 'old', 'theirs']);
  });

  it('knows the calls of one turn in the order of the model', () => {
    const mine = at('b', { call_id: 'c11.1' });
    const others = [at('a', { call_id: 'c11.0' }), at('x', { call_id: 'c12.0' }), at('y', { call_id: 'c11.2', session: 'other' })];
    expect(siblingsOf(mine, others).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('says where in the tree of agents a question arose', () => {
    expect(shownAddress('agent:desk/3;mw:guardrail;tool:ask:c41.0;agent:clerk#2/0')).toBe('desk › ask › clerk');
  });
});
