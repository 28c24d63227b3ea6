import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../api/types';
import { anInterrupt } from './fixtures';
import { editLine, editsOf } from './edits';
import { reasonsFor } from './reasons';

function event(seq: number, event_type: string, scope: string | null, content: string, payload: LogEvent['payload'] = { message: { content } }): LogEvent {
  return { schema_version: 1, session_id: 'sess_1', seq, event_type, ts: '2026-11-30T10:00:00Z', scope, cause: null, hash: 'ab', payload };
}

describe('why something is asked', () => {
  const earlier = [event(2, 'user_message', null, 'Hello'), event(4, 'llm_response', 'agent:refund-desk/2', 'Good day.'), event(5, 'session_end', null, '')];

  it('takes no words of an earlier run for the reason', () => {
    const guard = anInterrupt({ address: 'agent:refund-desk/2;mw:guard', call_id: null });
    expect(reasonsFor(guard, [...earlier, event(7, 'user_message', null, 'Refund me')])).toMatchObject({ asked: 'Refund me', said: '', response: undefined });
  });

  it('takes the answer that asked for the call, not one after it', () => {
    const answers = [event(11, 'llm_response', 'agent:refund-desk/2', 'It is late.'), event(12, 'llm_response', 'agent:other/0', 'Else.')];
    expect(reasonsFor(anInterrupt({ seq: 13 }), [...earlier, ...answers]).said).toBe('It is late.');
  });

  it('tells of a sub-agent what the person asked, the step of the plan and its task', () => {
    const child = 'agent:on-call/1;agent:executor';
    const events = [
      event(2, 'user_message', null, 'The shop is down'),
      event(5, 'plan', 'agent:on-call/0', '', { steps: ['look', 'restart it'], done: 0, why: null }),
      event(9, 'plan', 'agent:on-call/1', '', { steps: ['restart it'], done: 1, why: null }),
      event(10, 'child_start', child, 'Do this: restart it'),
      event(12, 'llm_response', `${child}/0`, 'I restart it.'),
    ];
    const asked = anInterrupt({ seq: 13, address: `${child}/0;tool:restart:c12.0`, call_id: 'c12.0' });
    expect(reasonsFor(asked, events)).toMatchObject({ asked: 'The shop is down', step: 'restart it', task: 'Do this: restart it', said: 'I restart it.' });
  });
});

describe('a call that a person changed', () => {
  it('says which arguments, old and new', () => {
    const decided = anInterrupt({ status: 'decided', decision: 'edit', answer: { arguments: { order_id: '4411', amount_cents: 3000, note: 'late' } } });
    expect(editLine(editsOf(decided)!)).toBe('amount_cents: 4800 → 3000');
    expect(editsOf(anInterrupt({ decision: 'approve' }))).toBeNull();
  });
});
