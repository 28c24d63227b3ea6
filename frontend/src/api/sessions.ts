import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, onlyOnce, take } from './client';
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

const at = (id: string) => ({ params: { path: { session_id: id } } });
const atEvent = (id: string, seq: number) => ({ params: { path: { session_id: id, seq } } });

export const sessionListQuery = (filter: SessionFilter, limit = 50) =>
  infiniteQueryOptions({
    queryKey: [...sessionKeys.list(filter), limit],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) =>
      (await take(api.GET('/api/v1/sessions', { params: { query: { ...filter, limit, cursor: pageParam } }, signal }))) as Page<Session>,
    getNextPageParam: (page) => page.next,
  });

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: sessionKeys.one(id),
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/sessions/{session_id}', { ...at(id), signal }))) as Session,
  });

/** An event never changes, so it is read once. */
export const eventQuery = (id: string, seq: number) =>
  queryOptions({
    queryKey: sessionKeys.event(id, seq),
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/sessions/{session_id}/events/{seq}', { ...atEvent(id, seq), signal }))) as LogEvent,
    staleTime: Infinity,
  });

/** What the model saw, whole; may gain attempts while its request is open, so it is not kept for ever. */
export const promptQuery = (id: string, seq: number) =>
  queryOptions({
    queryKey: sessionKeys.prompt(id, seq),
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/sessions/{session_id}/events/{seq}/prompt', { ...atEvent(id, seq), signal }))) as unknown as Prompt,
    staleTime: 60_000,
  });

export const compareQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: sessionKeys.compare(a, b),
    queryFn: async ({ signal }) =>
      (await take(api.GET('/api/v1/sessions/{session_id}/compare/{other_id}', { params: { path: { session_id: a, other_id: b } }, signal }))) as Comparison,
  });

/** First pages of headers, on their way before the page that reads them has been loaded. */
const ahead = new Map<string, Promise<HeadColumns>>();

/** Asks for the headers of a session that is about to be opened. */
export function expectHeads(id: string): void {
  const page = readHeads(id, 0);
  page.catch(() => undefined);
  ahead.set(id, page);
}

export function fetchHeads(id: string, after: number, signal?: AbortSignal): Promise<HeadColumns> {
  const expected = after === 0 ? ahead.get(id) : undefined;
  ahead.delete(id);
  return expected ?? readHeads(id, after, signal);
}

const readHeads = async (id: string, after: number, signal?: AbortSignal) =>
  (await take(
    api.GET('/api/v1/sessions/{session_id}/heads', { params: { path: { session_id: id }, query: { after, format: 'columns' } }, signal }),
  )) as HeadColumns;

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

interface EventsAsked {
  after: number;
  limit?: number;
  types?: string;
  bodies?: 0 | 1;
}

const eventsPage = async (id: string, query: EventsAsked, signal?: AbortSignal) =>
  (await take(api.GET('/api/v1/sessions/{session_id}/events', { params: { path: { session_id: id }, query }, signal }))) as EventPage;

/** So many events after one; the server ends a page early where it gets large. */
export const fetchEvents = async (id: string, query: EventsAsked, signal?: AbortSignal): Promise<EventPage> => {
  const wanted = query.limit ?? 200;
  let page = await eventsPage(id, query, signal);
  const items = [...page.items];
  while (page.next !== null && items.length < wanted) {
    page = await eventsPage(id, { ...query, after: page.next, limit: wanted - items.length }, signal);
    items.push(...page.items);
  }
  return { ...page, items };
};

/** What people, the model, plans and callers of sub-agents said between two events, and where runs ended; it never changes. */
export const contextQuery = (id: string, after: number, before: number) =>
  queryOptions({
    queryKey: ['sessions', 'context', id, after, before],
    queryFn: ({ signal }) =>
      fetchEvents(id, { after, limit: before - after, types: 'user_message,llm_response,plan,child_start,session_end', bodies: 1 }, signal),
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

export const createSession = async (body: NewSession) =>
  (await take(api.POST('/api/v1/sessions', { body: { tags: [], ...body }, headers: onlyOnce() }))) as Session;

export const updateSession = async (id: string, body: { title?: string; tags?: string[] }) =>
  (await take(api.PATCH('/api/v1/sessions/{session_id}', { ...at(id), body }))) as Session;

export const sendMessage = async (id: string, content: string) =>
  (await take(
    api.POST('/api/v1/sessions/{session_id}/messages', { ...at(id), body: { content, policy: 'enqueue' }, headers: onlyOnce() }),
  )) as LogEvent;

export const pauseSession = async (id: string) => (await take(api.POST('/api/v1/sessions/{session_id}/pause', at(id)))) as Session;

export const resumeSession = async (id: string) => (await take(api.POST('/api/v1/sessions/{session_id}/resume', at(id)))) as Session;

export const cancelSession = async (id: string, reason?: string) =>
  (await take(api.POST('/api/v1/sessions/{session_id}/cancel', { ...at(id), body: { after: 'now', reason } }))) as Session;

export const createBranch = async (id: string, body: BranchRequest) =>
  (await take(
    api.POST('/api/v1/sessions/{session_id}/branches', { ...at(id), body: { runs: 1, title: '', ...body }, headers: onlyOnce() }),
  )) as { sessions: Session[] };

export const verifySession = async (id: string) => (await take(api.POST('/api/v1/sessions/{session_id}/verify', at(id)))) as Verdict;
