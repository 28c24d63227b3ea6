import { describe, expect, it } from 'vitest';
import { diffText } from './text-diff';

const kinds = (before: string, after: string) => diffText(before, after).map((line) => line.kind);

describe('diffText', () => {
  it('marks the changed word inside a changed line', () => {
    const [removed, added] = diffText('max_refund: 50\n', 'max_refund: 500\n');
    expect(removed).toEqual({ kind: 'removed', words: [{ text: 'max_refund: ', changed: false }, { text: '50', changed: true }] });
    expect(added).toMatchObject({ kind: 'added', words: [{ changed: false }, { text: '500', changed: true }] });
  });

  it('shows additions and removals of whole lines', () => {
    expect(kinds('a\nb\n', 'a\nb\nc\n')).toEqual(['same', 'same', 'added']);
    expect(kinds('a\nb\n', 'b\n')).toEqual(['removed', 'same']);
  });

  it('folds what did not change, with a little context', () => {
    const long = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
    const lines = diffText(`${long}\nend\n`, `${long}\nEND\n`);
    expect(lines.map((line) => line.kind)).toEqual(['folded', 'same', 'same', 'removed', 'added']);
    expect(lines[0]).toMatchObject({ lines: expect.arrayContaining(['line 0', 'line 37']) });
  });

  it('says nothing but "same" for equal texts', () => {
    expect(kinds('x\n', 'x\n')).toEqual(['same']);
    expect(kinds('', '')).toEqual([]);
  });
});
