import { diffLines, diffWordsWithSpace } from 'diff';

export interface DiffWord {
  text: string;
  changed: boolean;
}

export type DiffLine =
  | { kind: 'same' | 'added' | 'removed'; words: DiffWord[] }
  /** A run of unchanged lines that is not worth showing. */
  | { kind: 'folded'; lines: string[] };

/** Unchanged lines kept around a change. */
const CONTEXT = 2;
/** A diff that takes longer says "all of it" instead of holding the page. */
const PATIENCE_MS = 200;

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const whole = (kind: 'same' | 'added' | 'removed', text: string): DiffLine => ({ kind, words: [{ text, changed: false }] });

/** The words of a removed and an added line that differ; too different lines are left unmarked. */
function wordPair(before: string, after: string): [DiffLine, DiffLine] {
  const parts = diffWordsWithSpace(before, after, { timeout: PATIENCE_MS });
  if (!parts) return [whole('removed', before), whole('added', after)];
  const side = (skip: 'added' | 'removed') =>
    parts.filter((part) => !part[skip]).map((part) => ({ text: part.value, changed: Boolean(part.added || part.removed) }));
  return [
    { kind: 'removed', words: side('added') },
    { kind: 'added', words: side('removed') },
  ];
}

function changedBlock(removed: string[], added: string[]): DiffLine[] {
  if (removed.length !== added.length) {
    return [...removed.map((line) => whole('removed', line)), ...added.map((line) => whole('added', line))];
  }
  const pairs = removed.map((line, index) => wordPair(line, added[index] ?? ''));
  return [...pairs.map(([before]) => before), ...pairs.map(([, after]) => after)];
}

function fold(lines: string[], first: boolean, last: boolean): DiffLine[] {
  const head = first ? 0 : CONTEXT;
  const tail = last ? 0 : CONTEXT;
  if (lines.length <= head + tail + 1) return lines.map((line) => whole('same', line));
  const end = lines.length - tail;
  return [
    ...lines.slice(0, head).map((line) => whole('same', line)),
    { kind: 'folded', lines: lines.slice(head, end) },
    ...lines.slice(end).map((line) => whole('same', line)),
  ];
}

/** Line diff with the changed words marked inside equal-sized changes, unchanged runs folded. */
export function diffText(before: string, after: string): DiffLine[] {
  const parts = diffLines(before, after, { timeout: PATIENCE_MS });
  if (!parts) return changedBlock(linesOf(before), linesOf(after));
  const lines: DiffLine[] = [];
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    const next = parts[i + 1];
    if (!part) continue;
    if (!part.added && !part.removed) lines.push(...fold(linesOf(part.value), i === 0, i === parts.length - 1));
    else if (part.removed && next?.added) {
      lines.push(...changedBlock(linesOf(part.value), linesOf(next.value)));
      i += 1;
    } else lines.push(...linesOf(part.value).map((line) => whole(part.added ? 'added' : 'removed', line)));
  }
  return lines;
}
