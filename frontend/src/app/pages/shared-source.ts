import { queryOptions } from '@tanstack/react-query';
import { createStore } from 'zustand';
import { ApiError } from '../../api/errors';
import type { LogEvent, SharedReplay } from '../../api/types';
import type { SessionSource } from '../../features/session/source';
import type { FeedState } from '../../live/session-feed';
import { Streams } from '../../live/streams';
import { Headers } from '../../model/headers';
import { sharedPrompt, showsPrompts } from '../../model/shared-prompt';

const notShared = () => new ApiError(404, { code: 'not_found', title: 'Not in this share' });

/** A shared range as the session view reads it: all of it is here, and it never changes. */
export function sharedSource(token: string, replay: SharedReplay): SessionSource {
  const headers = new Headers();
  headers.addColumns(replay);
  const events = new Map<number, LogEvent>(replay.events.map((event) => [event.seq, event]));
  const state = createStore<FeedState>(() => ({
    loaded: true,
    error: null,
    connection: { state: 'offline', since: Date.parse(replay.snapshot_at) },
    head: headers.last,
    status: { status: replay.status, waitingFor: null },
  }));
  const event = (seq: number) =>
    queryOptions({
      queryKey: ['shared-replay', token, 'event', seq],
      queryFn: () => {
        const found = events.get(seq);
        if (!found) throw notShared();
        return found;
      },
      staleTime: Infinity,
    });
  const prompt = (seq: number) =>
    queryOptions({
      queryKey: ['shared-replay', token, 'prompt', seq],
      queryFn: () => {
        const found = sharedPrompt(events, seq);
        if (!found) throw notShared();
        return found;
      },
      staleTime: Infinity,
    });
  return {
    id: token,
    headers,
    state,
    streams: new Streams(),
    event: event as unknown as SessionSource['event'],
    prompt: showsPrompts(replay.events) ? (prompt as unknown as NonNullable<SessionSource['prompt']>) : null,
  };
}
