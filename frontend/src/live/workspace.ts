import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { createStore, useStore } from 'zustand';
import { interruptKeys } from '../api/interrupts';
import { sessionKeys } from '../api/sessions';
import type { Interrupt, Page, Session } from '../api/types';
import { parseWorkspaceFrame } from './protocol';
import { type Connection, type ReconnectingSocket, openSocket } from './reconnecting-socket';

interface WorkspaceState {
  connection: Connection;
  /** Interrupts that the person who looks may decide; `null` until the server said so. */
  pendingForMe: number | null;
}

const workspace = createStore<WorkspaceState>(() => ({ connection: { state: 'connecting' }, pendingForMe: null }));

export const useWorkspace = () => useStore(workspace);

type Lists = InfiniteData<Page<Session>>;

/** Puts a newer summary in the place of the older one; rows never move under the pointer. */
function replaceInLists(lists: Lists, session: Session): Lists {
  const pages = lists.pages.map((page) => ({
    ...page,
    items: page.items.map((each) => (each.id === session.id ? session : each)),
  }));
  return { ...lists, pages };
}

const isListed = (lists: Lists | undefined, id: string): boolean =>
  lists?.pages.some((page) => page.items.some((each) => each.id === id)) ?? false;

function onSession(queries: QueryClient, session: Session): void {
  queries.setQueryData(sessionKeys.one(session.id), session);
  const key = [...sessionKeys.all, 'list'];
  const known = queries.getQueriesData<Lists>({ queryKey: key });
  queries.setQueriesData<Lists>({ queryKey: key }, (lists) => lists && replaceInLists(lists, session));
  for (const [queryKey, lists] of known) {
    if (lists && !isListed(lists, session.id)) void queries.invalidateQueries({ queryKey, exact: true });
  }
}

function onInterrupt(queries: QueryClient, interrupt: Interrupt): void {
  queries.setQueryData(interruptKeys.one(interrupt.id), interrupt);
  void queries.invalidateQueries({ queryKey: [...interruptKeys.all, 'list'] });
}

let following: ReconnectingSocket | null = null;

/** Tries to reach the server now, and reads again what a page could not load. */
export const retryConnection = () => following?.restart();

/** Follows the whole workspace and keeps the caches of sessions and interrupts fresh. Returns the way to stop. */
export function followWorkspace(queries: QueryClient): () => void {
  let wasLive = false;
  const socket = openSocket({
    address: () => '/ws/live',
    onConnection: (connection) => {
      workspace.setState({ connection });
      // What happened while nobody listened is only known by asking.
      if (connection.state === 'live' && wasLive) void queries.invalidateQueries();
      wasLive ||= connection.state === 'live';
    },
    onFrame: (data) => {
      const frame = parseWorkspaceFrame(data);
      if (frame === null) return;
      if (frame.type === 'session') onSession(queries, frame.session);
      else if (frame.type === 'interrupt') onInterrupt(queries, frame.interrupt);
      else if (frame.type === 'count') workspace.setState({ pendingForMe: frame.pending_for_me });
    },
  });
  following = socket;
  return () => {
    if (following === socket) following = null;
    socket.close();
  };
}
