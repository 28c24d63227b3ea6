/** Characters that change what a reader sees without being seen: bidi controls, zero-width, other invisible ones. */
const HIDDEN = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;
const MARKER = /\[REDACTED:([\w.-]+):([0-9a-fA-F]{8,})\]/g;

export type TextPart =
  | { kind: 'text'; text: string }
  /** An invisible character, by its code point: "U+202E". */
  | { kind: 'hidden'; text: string }
  /** The place of a sealed value; `text` is the whole marker as the log has it. */
  | { kind: 'sealed'; text: string; type: string; short: string };

interface Hit {
  at: number;
  length: number;
  part: TextPart;
}

const codePoint = (char: string) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function hits(text: string): Hit[] {
  const found: Hit[] = [];
  for (const match of text.matchAll(HIDDEN)) {
    found.push({ at: match.index, length: match[0].length, part: { kind: 'hidden', text: codePoint(match[0]) } });
  }
  for (const match of text.matchAll(MARKER)) {
    const [whole, type = '', hash = ''] = match;
    found.push({ at: match.index, length: whole.length, part: { kind: 'sealed', text: whole, type, short: hash.slice(0, 6) } });
  }
  return found.toSorted((a, b) => a.at - b.at);
}

/** Splits a text so that what is invisible, and what was sealed, can be drawn as such. */
export function revealText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const hit of hits(text)) {
    if (hit.at > at) parts.push({ kind: 'text', text: text.slice(at, hit.at) });
    parts.push(hit.part);
    at = hit.at + hit.length;
  }
  if (at < text.length || parts.length === 0) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

/** The same as one line of text, for titles and options: what was sealed by its sort, what is invisible by its name. */
export const plainText = (text: string): string =>
  revealText(text)
    .map((part) => (part.kind === 'sealed' ? `[${part.type}]` : part.text))
    .join('');

export const countHidden = (text: string): number => text.match(HIDDEN)?.length ?? 0;
