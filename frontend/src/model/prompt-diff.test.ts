import { describe, expect, it } from 'vitest';
import type { Message, Prompt } from '../api/types';
import { messageText } from './message-text';
import { diffPrompts } from './prompt-diff';

function prompt(messages: [Message['role'], string][], extra: Partial<Prompt> = {}): Prompt {
  return {
    seq: 1,
    model: 'm',
    params: {},
    tools: [],
    messages: messages.map(([role, content]) => ({ message: { role, content }, origin: null, digest: `${role}:${content}`, chars: content.length })),
    digest: 'd1:0',
    fingerprint: 'd1:0',
    previous: null,
    attempts: [],
    ...extra,
  };
}

const base: [Message['role'], string][] = [['system', 'You refund.'], ['user', 'Hello']];

describe('diffPrompts', () => {
  it('sees what a turn added', () => {
    const diff = diffPrompts(prompt(base), prompt([...base, ['assistant', 'Hi'], ['tool', '{}']]));
    expect(diff).toMatchObject({ added: 2, removed: 0, changed: 0 });
    expect(diff.changes.map((change) => change.kind)).toEqual(['same', 'added', 'added']);
    expect(diff.unchanged).toBeCloseTo(16 / 20);
  });

  it('pairs a message that was changed in its place', () => {
    const diff = diffPrompts(prompt(base), prompt([['system', 'You refund up to 50.'], ['user', 'Hello']]));
    expect(diff.changes.map((change) => change.kind)).toEqual(['changed', 'same']);
  });

  it('sees messages that left the window', () => {
    const diff = diffPrompts(prompt([...base, ['assistant', 'a'], ['user', 'b']]), prompt([['system', 'You refund.'], ['user', 'b']]));
    expect(diff).toMatchObject({ removed: 2, added: 0 });
  });

  it('names tools, parameters and the model that changed', () => {
    const after = prompt(base, { model: 'n', params: { temperature: 0.2 }, tools: [{ type: 'function', function: { name: 'send_email' } }] });
    const diff = diffPrompts(prompt(base, { tools: [{ name: 'lookup' }] }), after);
    expect(diff.toolsAdded).toEqual(['send_email']);
    expect(diff.toolsRemoved).toEqual(['lookup']);
    expect(diff.params).toEqual([{ name: 'temperature', before: undefined, after: 0.2 }]);
    expect(diff.model).toEqual({ before: 'm', after: 'n' });
  });
});

describe('messageText', () => {
  it('says the calls that a message asks for', () => {
    const text = messageText({ role: 'assistant', content: null, tool_calls: [{ name: 'lookup', arguments: { order: 'A-1' } }] });
    expect(text).toBe('lookup({\n  "order": "A-1"\n})');
  });
});
