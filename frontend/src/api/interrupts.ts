import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, take } from './client';
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

const at = (id: string) => ({ params: { path: { interrupt_id: id } } });

async function listInterrupts(query: InterruptFilter & { limit?: number; cursor?: string | null }, signal?: AbortSignal) {
  return (await take(api.GET('/api/v1/interrupts', { params: { query }, signal }))) as Page<Interrupt>;
}

export const interruptListQuery = (filter: InterruptFilter) =>
  queryOptions({
    queryKey: interruptKeys.list(filter),
    queryFn: ({ signal }) => listInterrupts({ ...filter, limit: MOST }, signal),
  });

/** Every question of the workspace, open or not, the newest first, page by page. */
export const interruptPagesQuery = () =>
  infiniteQueryOptions({
    queryKey: [...interruptKeys.all, 'list', 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => listInterrupts({ cursor: pageParam }, signal),
    getNextPageParam: (page) => page.next,
  });

export const interruptQuery = (id: string) =>
  queryOptions({
    queryKey: interruptKeys.one(id),
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/interrupts/{interrupt_id}', { ...at(id), signal }))) as Interrupt,
  });

/** Throws ApiError 409 with `interrupt` set when somebody decided first, 410 when it expired. */
export const decide = async (id: string, body: Decision) =>
  (await take(api.POST('/api/v1/interrupts/{interrupt_id}/decision', { ...at(id), body }))) as Interrupt;
