import { expect, it } from 'vitest';
import { agentLabels } from './agent-label';

it('tells agents of one name apart by their name in code', () => {
  const label = agentLabels([{ slug: 'desk', name: 'Desk' }, { slug: 'desk-2', name: 'Desk' }, { slug: 'on-call', name: 'On call' }]);
  expect([label('desk', 'Desk'), label('desk-2', 'Desk'), label('on-call', 'On call')]).toEqual(['Desk · desk', 'Desk · desk-2', 'On call']);
  // One that is gone from the list, but whose sessions are still there.
  expect(label('old', 'On call')).toBe('On call · old');
  expect(label('new', 'Unheard of')).toBe('Unheard of');
});
