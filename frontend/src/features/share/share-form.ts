import type { ShareRequest } from '../../api/types';

const DAY = 86_400;

/** How long a link lives, in seconds. */
export const LIVES = [{ days: 1 }, { days: 7 }, { days: 30 }, { days: 90 }] as const;

export interface ShareDraft {
  title: string;
  whole: boolean;
  from: string;
  to: string;
  show: { arguments: boolean; results: boolean; prompts: boolean; cost: boolean };
  days: number;
}

/** Prompts and cost stay out unless a person puts them in. */
export const emptyShare = (title: string, head: number): ShareDraft => ({
  title,
  whole: true,
  from: '1',
  to: String(head),
  show: { arguments: true, results: true, prompts: false, cost: false },
  days: 30,
});

const seqOf = (text: string): number | null => (/^[1-9]\d*$/.test(text.trim()) ? Number(text.trim()) : null);

export type Range = { from: number; to: number } | null;

/** The range of a draft, or null when it is none: first to last, inside the session. */
export function rangeOf(draft: ShareDraft, head: number): Range {
  if (draft.whole) return { from: 1, to: head };
  const [from, to] = [seqOf(draft.from), seqOf(draft.to)];
  return from !== null && to !== null && from <= to && to <= head ? { from, to } : null;
}

export function toShareRequest(draft: ShareDraft, head: number): ShareRequest | null {
  const range = rangeOf(draft, head);
  if (!range) return null;
  return { ...range, expires_in: draft.days * DAY, show: draft.show, ...(draft.title.trim() ? { title: draft.title.trim() } : {}) };
}
