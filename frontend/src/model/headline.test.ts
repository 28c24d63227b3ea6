import { expect, it } from 'vitest';
import { headlineOf } from './headline';

it('is the consequence for an approval, and the question for a question', () => {
  const both = { info: 'Which invoice?', consequence: 'Goes on with the invoice.' };
  expect(headlineOf({ kind: 'approval', ...both })).toBe('Goes on with the invoice.');
  expect(headlineOf({ kind: 'question', ...both })).toBe('Which invoice?');
  expect(headlineOf({ kind: 'retries', info: 'No answer.', consequence: null })).toBe('No answer.');
  expect(headlineOf({ kind: 'question', info: { any: 1 }, consequence: null })).toBeNull();
});
