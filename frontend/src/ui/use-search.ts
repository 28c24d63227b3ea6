import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { createStore, useStore } from 'zustand';

/**
 * The queries that were asked for and that the router has not taken over yet, the oldest first. On a busy machine it
 * takes one over later than the next key comes, and a change that did not know of it would undo it.
 */
const asked = createStore<{ path: string; queries: string[] }>(() => ({ path: '', queries: [] }));

/** What has arrived, and what was asked before it, waits no longer; a query from elsewhere (Back) ends all waiting. */
function arrive(path: string, query: string): void {
  const waiting = asked.getState();
  if (waiting.queries.length === 0) return;
  const at = waiting.path === path ? waiting.queries.indexOf(query) : -1;
  asked.setState({ path, queries: at === -1 ? [] : waiting.queries.slice(at + 1) });
}

/** The query of the address as it will be. It is drawn at once, and changes build on each other. */
export function useSearch(): [URLSearchParams, (edit: (now: URLSearchParams) => URLSearchParams) => void] {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const arrived = params.toString();
  const newest = useStore(asked, ({ path, queries }) => (path === pathname ? queries.at(-1) : undefined));
  const query = newest ?? arrived;
  const search = useMemo(() => new URLSearchParams(query), [query]);
  useEffect(() => arrive(pathname, arrived), [pathname, arrived]);
  const change = useCallback(
    (edit: (now: URLSearchParams) => URLSearchParams) => {
      const { path, queries } = asked.getState();
      const waiting = path === pathname ? queries : [];
      const next = edit(new URLSearchParams(waiting.at(-1) ?? arrived)).toString();
      if (next === (waiting.at(-1) ?? arrived)) return;
      asked.setState({ path: pathname, queries: [...waiting, next] });
      setParams(next, { replace: true, preventScrollReset: true });
    },
    [pathname, arrived, setParams],
  );
  return [search, change];
}
