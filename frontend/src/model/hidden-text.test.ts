import { describe, expect, it } from 'vitest';
import { countHidden, revealText } from './hidden-text';

describe('revealText', () => {
  it('leaves plain text in one part', () => {
    expect(revealText('Refund 退款 48 €')).toEqual([{ kind: 'text', text: 'Refund 退款 48 €' }]);
    expect(revealText('')).toEqual([{ kind: 'text', text: '' }]);
  });

  it('names bidi and zero-width characters', () => {
    const parts = revealText('pay\u202Eppl\u200B.exe');
    expect(parts.map((part) => part.text)).toEqual(['pay', 'U+202E', 'ppl', 'U+200B', '.exe']);
    expect(countHidden('pay\u202Eppl\u200B.exe')).toBe(2);
  });

  it('shows a sealed value by its type and a short hash', () => {
    const [before, sealed] = revealText('card [REDACTED:card:0123456789abcdef] ok');
    expect(before).toEqual({ kind: 'text', text: 'card ' });
    expect(sealed).toEqual({ kind: 'sealed', text: '[REDACTED:card:0123456789abcdef]', type: 'card', short: '012345' });
  });

  it('joins to the same text when nothing is hidden', () => {
    const text = 'a [REDACTED:key:00112233] b [REDACTED] c';
    expect(revealText(text).map((part) => part.text).join('')).toBe(text);
  });
});
