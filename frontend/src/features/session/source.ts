import type { UseQueryOptions } from '@tanstack/react-query';
import type { StoreApi } from 'zustand';
import type { LogEvent, Prompt } from '../../api/types';
import type { FeedState } from '../../live/session-feed';
import type { Streams } from '../../live/streams';
import type { Headers } from '../../model/headers';

type Read<T> = UseQueryOptions<T, Error, T, readonly unknown[]>;

/** Where the session view reads from: a session that may still run, or a shared range that never changes. */
export interface SessionSource {
  id: string;
  headers: Headers;
  state: StoreApi<FeedState>;
  streams: Streams;
  event: (seq: number) => Read<LogEvent>;
  /** What the model saw; null where prompts are not shown. */
  prompt: ((seq: number) => Read<Prompt>) | null;
}
