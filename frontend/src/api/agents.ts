import { queryOptions } from '@tanstack/react-query';
import { call } from './http';
import type { Agent, Page } from './types';

export const agentListQuery = queryOptions({
  queryKey: ['agents', 'list'],
  queryFn: ({ signal }) => call<Page<Agent>>('GET', '/agents', { signal }),
});

export const agentQuery = (slug: string) =>
  queryOptions({
    queryKey: ['agents', 'one', slug],
    queryFn: ({ signal }) => call<Agent>('GET', `/agents/${encodeURIComponent(slug)}`, { signal }),
  });
