import { describe, expect, it } from 'vitest';
import type { Json, LogEvent } from '../../api/types';
import { fateOf, fatesOf } from './effects';
import { type Basis, type Draft, planOf } from './plan';
import { editOf, proposedSubject, subjectOf, subjectsAround } from './subjects';

const event = (seq: number, event_type: string, payload: Record<string, Json>, cause: number | null = null): LogEvent => ({
  schema_version: 1,
  session_id: 's',
  seq,
  event_type,
  ts: '',
  scope: null,
  cause,
  hash: '',
  payload,
});

const said = event(2, 'user_message', { message: { role: 'user', content: 'Refund 4411' } });
const request = event(3, 'llm_request', {});
const response = event(4, 'llm_response', { message: { role: 'assistant', content: '', tool_calls: [{ name: 'lookup', arguments: { id: 1 } }] } }, 3);
const call = event(5, 'tool_call', { call_id: 'c4.0' }, 4);
const result = event(6, 'tool_result', { call_id: 'c4.0', tool: 'lookup', message: { role: 'tool', content: '{"paid":48,"currency":"EUR"}' } }, 5);
const around = [said, response, result];

const tools = [
  { name: 'lookup', effectful: false, approval: false as const },
  { name: 'refund', effectful: true, approval: true as const },
  { name: 'mail', effectful: true, approval: false as const },
];
const basis: Basis = { seq: 6, head: 9, instructions: 'Be brief.', model: 'scripted:desk', version: 3, params: { temperature: 0 }, tools };
const draft = (over: Partial<Draft> = {}): Draft => ({
  subject: null,
  edit: null,
  start: 'before',
  instructions: null,
  model: 'scripted:desk',
  version: null,
  params: '',
  effects: {},
  typed: {},
  title: '',
  why: '',
  ...over,
});

function subject(of: LogEvent) {
  const found = subjectOf(of);
  if (!found) throw new Error('not editable');
  return found;
}

describe('what a branch can change', () => {
  it('is the event itself, or what answers it, then what came before', () => {
    expect(subjectsAround(result, around).map(({ seq }) => seq)).toEqual([6, 4, 2]);
    expect(subjectsAround(call, around).map(({ seq }) => seq)).toEqual([6, 4, 2]);
    expect(subjectsAround(request, around).map(({ seq }) => seq)).toEqual([4, 2]);
    expect(proposedSubject(request, subjectsAround(request, around))?.seq).toBe(4);
    const end = event(9, 'session_end', {});
    expect(proposedSubject(end, subjectsAround(end, around))).toBeNull();
  });

  it('lays JSON out, and sends it back as compact as it was', () => {
    const lookup = subject(result);
    expect(lookup.text).toBe('{\n  "paid": 48,\n  "currency": "EUR"\n}');
    const plan = planOf(draft({ subject: lookup, edit: { ...editOf(lookup), text: lookup.text.replace('48', '12') } }), basis);
    expect(plan.request).toEqual({
      at: 6,
      replace: { event_type: 'tool_result', payload: { message: { content: '{"paid":12,"currency":"EUR"}' } } },
      effects: { refund: 'recorded', mail: 'recorded' },
    });
  });

  it('keeps every digit of a number, touched or not', () => {
    const big = subject(event(6, 'tool_result', { message: { content: '{"id":9007199254740993,"rate":5.0,"n":1}' } }));
    expect(big).toMatchObject({ json: true, text: '{\n  "id": 9007199254740993,\n  "rate": 5.0,\n  "n": 1\n}' });
    const plan = planOf(draft({ subject: big, edit: { ...editOf(big), text: big.text.replace('"n": 1', '"n": 2') } }), basis);
    expect(plan.request?.replace?.payload).toEqual({ message: { content: '{"id":9007199254740993,"rate":5.0,"n":2}' } });
  });

  it('is refused while the JSON is broken, and while nothing is changed', () => {
    const lookup = subject(result);
    expect(planOf(draft({ subject: lookup, edit: { text: '{', calls: null } }), basis).hindrance).toMatchObject({ kind: 'json', field: 'text' });
    expect(planOf(draft({ subject: lookup, edit: editOf(lookup) }), basis).hindrance).toEqual({ kind: 'nothing' });
    expect(planOf(draft({ params: '[1]' }), basis).hindrance).toMatchObject({ kind: 'json', field: 'params' });
  });

  it('can be the calls that a response asks for', () => {
    const answer = subject(response);
    const plan = planOf(draft({ subject: answer, edit: { text: '', calls: '[]' } }), basis);
    expect(plan.request?.replace).toEqual({ event_type: 'llm_response', payload: { message: { tool_calls: [] } } });
  });

  it('can be nothing but the settings, from before or after the event', () => {
    expect(planOf(draft({ model: 'openai:small', instructions: 'Be long.', params: '{"temperature":1}', version: 2 }), basis).request).toMatchObject({
      at: 6,
      overrides: { model: 'openai:small', instructions: 'Be long.', params: { temperature: 1 }, version: 2 },
    });
    expect(planOf(draft({ start: 'after' }), basis).request?.at).toBe(7);
    expect(planOf(draft({ instructions: 'Be brief.', params: '{"temperature":0}', version: 3 }), basis).request?.overrides).toBeUndefined();
  });
});

describe('what tools do in a branch', () => {
  it('is never live by default for what changes the world', () => {
    expect(fatesOf(tools, {})).toEqual({ reads: ['lookup'], recorded: ['refund', 'mail'] });
  });

  it('asks before a tool that needs approval, even when it is live', () => {
    expect(fateOf({ name: 'refund', effectful: true, approval: true }, 'live')).toBe('asks');
    expect(fateOf({ name: 'refund', effectful: true, approval: 'when' }, 'live')).toBe('may_ask');
    expect(fateOf({ name: 'mail', effectful: true, approval: false }, 'live')).toBe('runs');
    expect(fateOf({ name: 'mail', effectful: true, approval: false }, 'stub')).toBe('stub');
  });

  it('is live only once the name of the tool was typed', () => {
    const live = draft({ effects: { mail: 'live' } });
    expect(planOf(live, basis).hindrance).toEqual({ kind: 'confirm', tools: ['mail'] });
    expect(planOf({ ...live, typed: { mail: 'mial' } }, basis).request).toBeNull();
    expect(planOf({ ...live, typed: { mail: 'mail' } }, basis).request?.effects).toEqual({ refund: 'recorded', mail: 'live' });
  });
});
