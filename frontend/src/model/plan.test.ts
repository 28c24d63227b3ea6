import { describe, expect, it } from 'vitest';
import { readPlan } from './plan';

const steps = ['look', 'act'];

describe('a plan', () => {
  it('marks what is done in a list that stays', () => {
    const plan = readPlan({ steps, done: 1, why: null }, { steps, done: 0, why: null });
    expect(plan).toEqual({ steps: [{ text: 'look', done: true }, { text: 'act', done: false }], before: 0, why: null });
  });

  it('marks nothing in a list of what is left, and counts what was done before it', () => {
    const plan = readPlan({ steps: ['act'], done: 1, why: 'found it' }, { steps, done: 0 });
    expect(plan).toEqual({ steps: [{ text: 'act', done: false }], before: 1, why: 'found it' });
  });

  it('is none without steps', () => {
    expect(readPlan({ hidden: ['steps'] }, null)).toBeNull();
    expect(readPlan(null, null)).toBeNull();
  });
});
