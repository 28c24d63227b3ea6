import { useCallback, useMemo } from 'react';
import { useSearch } from '../../../ui/use-search';

/** What stands beside the form; on a narrow screen the form is one of them. */
export const SIDES = ['form', 'yaml', 'changes', 'try'] as const;
export type Side = (typeof SIDES)[number];

export interface EditorUrl {
  /** The version that the draft began with; null for the newest. */
  version: number | null;
  side: Side | null;
  /** The version that the draft is compared with. */
  against: number | null;
  /** The session that is tried. */
  session: string | null;
}

const numberOf = (text: string | null): number | null => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null);
const NAMES = { version: 'v', side: 'side', against: 'against', session: 'session' } as const;

export function parseEditorUrl(params: URLSearchParams): EditorUrl {
  const session = params.get('session');
  return {
    version: numberOf(params.get('v')),
    side: SIDES.find((each) => each === params.get('side')) ?? null,
    against: numberOf(params.get('against')),
    session: session && /^sess_\w+$/.test(session) ? session : null,
  };
}

export function changeEditorUrl(params: URLSearchParams, change: Partial<EditorUrl>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [key, value] of Object.entries(change) as [keyof EditorUrl, EditorUrl[keyof EditorUrl]][]) {
    if (value === null) next.delete(NAMES[key]);
    else next.set(NAMES[key], String(value));
  }
  return next;
}

/** Everything of the editor that a link can say; the draft itself stays in this browser. */
export function useEditorUrl() {
  const [params, edit] = useSearch();
  const url = useMemo(() => parseEditorUrl(params), [params]);
  const set = useCallback((change: Partial<EditorUrl>) => edit((now) => changeEditorUrl(now, change)), [edit]);
  return { url, set };
}
