import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { eventQuery, promptQuery } from '../../api/sessions';
import type { Session } from '../../api/types';
import { openSessionFeed } from '../../live/session-feed';
import type { SessionSource } from './source';

/** Reads and follows the session for as long as the page is open. */
export function useLiveSource(id: string): SessionSource | null {
  const [source, setSource] = useState<SessionSource | null>(null);
  useEffect(() => {
    const feed = openSessionFeed(id);
    // oxlint-disable-next-line react/set-state-in-effect -- the feed is opened and closed with the page, twice in strict mode
    setSource({
      id,
      headers: feed.headers,
      streams: feed.streams,
      state: feed.state,
      event: (seq) => eventQuery(id, seq) as unknown as ReturnType<SessionSource['event']>,
      prompt: (seq) => promptQuery(id, seq) as unknown as ReturnType<NonNullable<SessionSource['prompt']>>,
    });
    return () => feed.close();
  }, [id]);
  return source;
}

/** The summary of the session with the status that the socket told last. */
export function useFresh(session: Session, source: SessionSource): Session {
  const told = useStore(source.state, (state) => state.status);
  const head = useStore(source.state, (state) => state.head);
  return told && head >= session.head_seq ? { ...session, status: told.status, waiting_for: told.waitingFor } : session;
}
