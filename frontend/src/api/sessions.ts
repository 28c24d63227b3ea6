import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, newIdempotencyKey } from './http';
import type {
  BranchRequest,
  Comparison,
  EventPage,
  HeadColumns,
  HeadRow,
  LogEvent,
  NewSession,
  Page,
  Prompt,
  Session,
  Verdict,
} from './types';

export interface SessionFilter {
  status?: string;
  agent?: string;
  q?: string;
  root?: string;
}

/** Query keys in one place, so that the sockets can update what the queries read. */
export const sessionKeys = {
  all: ['sessions'] as const,
  list: (filter: SessionFilter) => ['sessions', 'list', filter] as const,
  one: (id: string) => ['sessions', 'one', id] as const,
  event: (id: string, seq: number) => ['sessions', 'event', id, seq] as const,
  prompt: (id: string, seq: number) => ['sessions', 'prompt', id, seq] as const,
  compare: (a: string, b: string) => ['sessions', 'compare', a, b] as const,
};

export const sessionListQuery = (filter: SessionFilter, limit = 50) =>
  infiniteQueryOptions({
    queryKey: [...sessionKeys.list(filter), limit],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<Page<Session>>('GET', '/sessions', { query: { ...filter, limit, cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.next,
  });

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: sessionKeys.one(id),
    queryFn: ({ signal }) => call<Session>('GET', `/sessions/${id}`, { signal }),
  });

/** An event never changes, so it is read once. */
export const eventQuery = (id: string, seq: number) =>
  queryOptions({
    queryKey: sessionKeys.event(id, seq),
    queryFn: ({ signal }) => call<LogEvent>('GET', `/sessions/${id}/events/${seq}`, { signal }),
    staleTime: Infinity,
  });

/** What the model saw, whole; may gain attempts while its request is open, so it is not kept for ever. */
export const promptQuery = (id: string, seq: number) =>
  queryOptions({
    queryKey: sessionKeys.prompt(id, seq),
    queryFn: ({ signal }) => call<Prompt>('GET', `/sessions/${id}/events/${seq}/prompt`, { signal }),
    staleTime: 60_000,
  });

export const compareQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: sessionKeys.compare(a, b),
    queryFn: ({ signal }) => call<Comparison>('GET', `/sessions/${a}/compare/${b}`, { signal }),
  });

export const fetchHeads = (id: string, after: number, signal?: AbortSignal) =>
  call<HeadColumns>('GET', `/sessions/${id}/heads`, { query: { after, format: 'columns' }, signal });

function rowsOf({ columns, data }: HeadColumns): HeadRow[] {
  const length = data.seq?.length ?? 0;
  return Array.from({ length }, (_, i) => Object.fromEntries(columns.map((name) => [name, data[name]?.[i] ?? null])) as unknown as HeadRow);
}

/** Headers of the events after one and up to another, which never change. */
export const sharedHeadsQuery = (id: string, after: number, upto: number) =>
  queryOptions({
    queryKey: ['sessions', 'heads', id, after, upto],
    queryFn: async ({ signal }) => rowsOf(await fetchHeads(id, after, signal)).filter((row) => row.seq <= upto),
    staleTime: Infinity,
  });

export const fetchEvents = (
  id: string,
  query: { after: number; limit?: number; types?: string; bodies?: 0 | 1 },
  signal?: AbortSignal,
) => call<EventPage>('GET', `/sessions/${id}/events`, { query, signal });

/** The words that people and the model said between two events; they never change. */
export const contextQuery = (id: string, after: number, before: number) =>
  queryOptions({
    queryKey: ['sessions', 'context', id, after, before],
    queryFn: ({ signal }) =>
      fetchEvents(id, { after, limit: before - after, types: 'user_message,llm_response', bodies: 1 }, signal),
    staleTime: Infinity,
  });

/** How far around an event a branch looks for something to change. */
const REACH = 60;

/** Events that a branch can change, before an event and shortly after it. */
export const editableAroundQuery = (id: string, seq: number) =>
  queryOptions({
    queryKey: ['sessions', 'editable', id, seq],
    queryFn: ({ signal }) =>
      fetchEvents(
        id,
        { after: Math.max(0, seq - REACH), limit: 2 * REACH, types: 'user_message,llm_response,tool_result', bodies: 1 },
        signal,
      ),
  });

export const createSession = (body: NewSession) =>
  call<Session>('POST', '/sessions', { body, idempotencyKey: newIdempotencyKey() });

export const updateSession = (id: string, body: { title?: string; tags?: string[] }) =>
  call<Session>('PATCH', `/sessions/${id}`, { body });

export const sendMessage = (id: string, content: string) =>
  call<LogEvent>('POST', `/sessions/${id}/messages`, {
    body: { content, policy: 'enqueue' },
    idempotencyKey: newIdempotencyKey(),
  });

export const pauseSession = (id: string) => call<Session>('POST', `/sessions/${id}/pause`, { body: {} });

export const resumeSession = (id: string) => call<Session>('POST', `/sessions/${id}/resume`, { body: {} });

export const cancelSession = (id: string, reason?: string) =>
  call<Session>('POST', `/sessions/${id}/cancel`, { body: { after: 'now', reason } });

export const createBranch = (id: string, body: BranchRequest) =>
  call<{ sessions: Session[] }>('POST', `/sessions/${id}/branches`, {
    body,
    idempotencyKey: newIdempotencyKey(),
  });

export const verifySession = (id: string) => call<Verdict>('POST', `/sessions/${id}/verify`, { body: {} });

export const exportAddress = (id: string) => `/api/v1/sessions/${id}/export?format=jsonl`;
