import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../api/types';
import { messageText } from './message-text';
import { sharedPrompt, showsPrompts } from './shared-prompt';

const event = (seq: number, event_type: string, payload: JsonObject, scope = 'agent:desk/0', cause: number | null = null): LogEvent => ({
  schema_version: 1, session_id: 's', seq, event_type, ts: '', scope, cause, hash: '', payload,
});

const log = [
  event(2, 'user_message', { message: { role: 'user', content: 'Refund 1077' } }),
  event(3, 'llm_request', { model: 'm', params: {}, tools: [{ function: { name: 'lookup' } }], prompt: [['n', { role: 'system', content: 'Be brief.' }], ['m', 2]], fingerprint: 'd1:a' }),
  event(4, 'llm_response', { message: { role: 'assistant', content: '', tool_calls: [{ name: 'lookup', arguments: { id: 1 } }] } }),
  event(6, 'tool_result', { message: { role: 'tool', content: '{"paid":48}' } }),
  event(7, 'llm_request', { model: 'm', params: {}, tools: 3, prompt: [['c', 0, 2], ['m', 4], ['m', 6]], fingerprint: 'd1:b' }, 'agent:desk/1'),
];
const from = (first: number, change: (each: LogEvent) => LogEvent = (each) => each) =>
  new Map(log.filter((each) => each.seq >= first).map((each) => [each.seq, change(each)]));

const told = (events: ReadonlyMap<number, LogEvent>, seq: number) =>
  sharedPrompt(events, seq)?.messages.map((item) => item.missing ?? `${item.message.role}: ${messageText(item.message)}`);

describe('the prompt of a shared request', () => {
  it('is spliced together from the requests before it, in order', () => {
    expect(told(from(1), 7)).toEqual(['system: Be brief.', 'user: Refund 1077', 'assistant: lookup({\n  "id": 1\n})', 'tool: {"paid":48}']);
    expect(sharedPrompt(from(1), 7)).toMatchObject({ previous: 3, tools: [{ function: { name: 'lookup' } }], fingerprint: 'd1:b' });
  });

  it('says where something came before the range, instead of leaving it out', () => {
    expect(told(from(4), 7)).toEqual(['before', 'before', 'assistant: lookup({\n  "id": 1\n})', 'tool: {"paid":48}']);
    expect(sharedPrompt(from(4), 7)?.previous).toBeNull();
  });

  it('says where a result is not shown', () => {
    const hidden = from(1, (each) => (each.seq === 6 ? event(6, 'tool_result', { hidden: ['message'] }) : each));
    expect(told(hidden, 7)?.at(-1)).toBe('hidden');
  });

  it('leaves out what a crash gave up', () => {
    const events = from(1);
    events.set(5, event(5, 'lease', { abandoned: [3] }));
    expect(sharedPrompt(events, 7)?.previous).toBeNull();
  });

  it('is not there where prompts are not shared', () => {
    const hidden = from(1, (each) => (each.event_type === 'llm_request' ? event(each.seq, 'llm_request', { hidden: ['prompt'] }) : each));
    expect(showsPrompts(hidden.values())).toBe(false);
    expect(sharedPrompt(hidden, 7)).toBeNull();
    expect(showsPrompts(from(1).values())).toBe(true);
  });
});
