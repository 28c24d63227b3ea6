import { useEffect, useState } from 'react';
import type { Json, JsonObject } from '../../../api/types';
import { type Path, withValue } from '../../../model/definition';
import { changesOf } from '../../../model/definition-diff';
import { isObject, parseJson, printJson } from '../../../model/json';

/** What a person has made of a definition and not saved. */
export interface Draft {
  definition: JsonObject;
  /** The YAML as it is being written, while it was changed last; null when the form was. */
  text: string | null;
}

interface Kept extends Draft {
  /** When it was changed last, ISO time. */
  at: string;
  /** The newest version that its writer knew of. */
  known: number | null;
}

interface State extends Draft {
  key: string;
  original: JsonObject;
  known: number | null;
  /** When the draft that was taken up again had been changed last; null for a fresh one. */
  restoredFrom: string | null;
}

const PREFIX = 'playhead.agent-draft.';

/** Under which name the draft of an agent is kept in this browser: one for each version that it began with. */
export const draftKey = (slug: string | null, base: number | null, copied = ''): string => `${PREFIX}${slug ?? `new ${copied}`}.${base ?? 0}`;

function readKept(key: string): Kept | null {
  try {
    const kept = parseJson(localStorage.getItem(key) ?? 'null');
    if (!isObject(kept) || !isObject(kept.definition)) return null;
    return {
      definition: kept.definition,
      text: typeof kept.text === 'string' ? kept.text : null,
      at: String(kept.at),
      known: typeof kept.known === 'number' ? kept.known : null,
    };
  } catch {
    return null;
  }
}

export const forgetDraft = (key: string): void => localStorage.removeItem(key);

function keep(key: string, kept: Kept): void {
  try {
    localStorage.setItem(key, printJson(kept));
  } catch {
    // A browser that keeps nothing still edits; it only cannot survive a reload.
  }
}

const differs = (draft: Draft, original: JsonObject): boolean => draft.text !== null || changesOf(original, draft.definition).length > 0;

function begin(key: string, original: JsonObject, known: number | null): State {
  const found = readKept(key);
  if (!found || !differs(found, original)) return { key, original, known, restoredFrom: null, definition: original, text: null };
  return { key, original, known: found.known ?? known, restoredFrom: found.at, definition: found.definition, text: found.text };
}

/**
 * The one draft that the form and the YAML show. It is kept in this browser until it is saved or dropped; `known` is
 * the newest version when the page was opened, and stays what it was for a draft that is taken up again.
 */
export function useDraft(key: string, original: JsonObject, known: number | null) {
  const [state, setState] = useState(() => begin(key, original, known));
  const draft = state.key === key ? state : begin(key, original, known);
  if (state.key !== key) setState(draft);
  const dirty = differs(draft, draft.original);
  const { definition, text, known: base } = draft;
  useEffect(() => {
    if (!dirty) forgetDraft(key);
    else keep(key, { definition, text, at: new Date().toISOString(), known: base });
  }, [key, definition, text, dirty, base]);
  return {
    definition,
    text,
    known: base,
    restoredFrom: draft.restoredFrom,
    dirty,
    change: (path: Path, value: Json | undefined) => setState((before) => ({ ...before, definition: withValue(before.definition, path, value), text: null })),
    write: (written: string) => setState((before) => ({ ...before, text: written })),
    /** What the server read in a text; later text is not undone by it. */
    read: (written: string, found: JsonObject) => setState((before) => (before.text === written ? { ...before, definition: found } : before)),
    /** Back to what the form shows. */
    dropText: () => setState((before) => ({ ...before, text: null })),
    reset: () => setState((before) => ({ ...before, definition: before.original, text: null, restoredFrom: null })),
  };
}

export type DraftState = ReturnType<typeof useDraft>;
