import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './http';
import type { Decision, Interrupt, Page } from './types';

/** The largest page that the server gives: an inbox is read whole, or says that it is not. */
const MOST = 200;

export interface InterruptFilter {
  status?: string;
  session?: string;
}

export const interruptKeys = {
  all: ['interrupts'] as const,
  list: (filter: InterruptFilter) => ['interrupts', 'list', filter] as const,
  one: (id: string) => ['interrupts', 'one', id] as const,
};

export const interruptListQuery = (filter: InterruptFilter) =>
  queryOptions({
    queryKey: interruptKeys.list(filter),
    queryFn: ({ signal }) => call<Page<Interrupt>>('GET', '/interrupts', { query: { ...filter, limit: MOST }, signal }),
  });

/** Every question of the workspace, open or not, the newest first, page by page. */
export const interruptPagesQuery = () =>
  infiniteQueryOptions({
    queryKey: [...interruptKeys.all, 'list', 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => call<Page<Interrupt>>('GET', '/interrupts', { query: { cursor: pageParam }, signal }),
    getNextPageParam: (page) => page.next,
  });

export const interruptQuery = (id: string) =>
  queryOptions({
    queryKey: interruptKeys.one(id),
    queryFn: ({ signal }) => call<Interrupt>('GET', `/interrupts/${id}`, { signal }),
  });

/** Throws ApiError 409 with `interrupt` set when somebody decided first, 410 when it expired. */
export const decide = (id: string, body: Decision) =>
  call<Interrupt>('POST', `/interrupts/${id}/decision`, { body });
