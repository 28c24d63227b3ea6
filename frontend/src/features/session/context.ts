import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { FeedState } from '../../live/session-feed';
import type { Row, RowIndex } from '../../model/rows';
import type { Playhead, PlayheadState } from './playhead';
import type { SessionSource } from './source';

export interface SessionScope {
  source: SessionSource;
  rows: RowIndex;
  playhead: Playhead;
  /** Selects an event without moving the playhead; null goes back to following it. */
  select: (seq: number | null) => void;
  /** Moves the playhead and selects what it is at. */
  goTo: (seq: number) => void;
}

export const SessionContext = createContext<SessionScope | null>(null);

export function useSessionScope(): SessionScope {
  const scope = useContext(SessionContext);
  if (!scope) throw new Error('outside of a session');
  return scope;
}

export function usePlayhead<T>(read: (state: PlayheadState) => T): T {
  return useStore(useSessionScope().playhead.store, read);
}

export function useFeed<T>(read: (state: FeedState) => T): T {
  return useStore(useSessionScope().source.state, read);
}

/** Grows with each batch of events; reading it makes a component follow the log. */
export function useLogVersion(): number {
  const { source, rows } = useSessionScope();
  return useSyncExternalStore(source.headers.subscribe, () => {
    rows.extend();
    return rows.version;
  });
}

export function useRow(seq: number): Row | undefined {
  useLogVersion();
  return useSessionScope().rows.rowOf(seq);
}

/** Passing text of a request that is still being answered. */
export function useStream(request: number) {
  const { source } = useSessionScope();
  return useSyncExternalStore(source.streams.subscribe, () => source.streams.get().get(request));
}
