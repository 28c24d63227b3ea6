import { useCallback, useMemo } from 'react';
import { useSearch } from '../../ui/use-search';

export const VIEWS = ['waterfall', 'list', 'chat'] as const;
export type View = (typeof VIEWS)[number];
export const TABS = ['overview', 'prompt', 'diff', 'response', 'call', 'raw'] as const;
export type Tab = (typeof TABS)[number];

export interface UrlState {
  /** Playhead; null is the end. */
  at: number | null;
  /** Selected event; null follows the playhead. */
  event: number | null;
  view: View;
  /** null is what suits the event. */
  tab: Tab | null;
  filter: string;
  search: string;
  /** The time axis of the waterfall spans the whole session, and not only what is on screen. */
  whole: boolean;
}

const seqOf = (text: string | null): number | null => (text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : null);
const oneOf = <T extends string>(list: readonly T[], text: string | null): T | null => list.find((each) => each === text) ?? null;

/** Reads what a link says; what it does not understand is ignored. */
export function parseUrl(params: URLSearchParams): UrlState {
  return {
    at: seqOf(params.get('at')),
    event: seqOf(params.get('e')),
    view: oneOf(VIEWS, params.get('view')) ?? 'list',
    tab: oneOf(TABS, params.get('tab')),
    filter: params.get('f') ?? '',
    search: params.get('q') ?? '',
    whole: params.get('zoom') === 'all',
  };
}

const NAMES = { at: 'at', event: 'e', view: 'view', tab: 'tab', filter: 'f', search: 'q', whole: 'zoom' } as const;

/** The parameters with some of them changed; defaults are left out, so that links stay short. */
export function changeUrl(params: URLSearchParams, change: Partial<UrlState>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [key, value] of Object.entries(change) as [keyof UrlState, UrlState[keyof UrlState]][]) {
    const plain = value === null || value === '' || value === false || (key === 'view' && value === 'list');
    if (plain) next.delete(NAMES[key]);
    else next.set(NAMES[key], value === true ? 'all' : String(value));
  }
  return next;
}

/** Everything on the session page that a link can say. Changes replace the history entry, they never add one. */
export function useUrlState() {
  const [params, change] = useSearch();
  const url = useMemo(() => parseUrl(params), [params]);
  const set = useCallback((part: Partial<UrlState>) => change((now) => changeUrl(now, part)), [change]);
  return { url, set };
}
