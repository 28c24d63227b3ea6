import { queryOptions } from '@tanstack/react-query';
import { call } from './http';
import type { Decision, Interrupt, Page } from './types';

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
    queryFn: ({ signal }) => call<Page<Interrupt>>('GET', '/interrupts', { query: { ...filter }, signal }),
  });

export const interruptQuery = (id: string) =>
  queryOptions({
    queryKey: interruptKeys.one(id),
    queryFn: ({ signal }) => call<Interrupt>('GET', `/interrupts/${id}`, { signal }),
  });

/** Throws ApiError 409 with `interrupt` set when somebody decided first, 410 when it expired. */
export const decide = (id: string, body: Decision) =>
  call<Interrupt>('POST', `/interrupts/${id}/decision`, { body });
