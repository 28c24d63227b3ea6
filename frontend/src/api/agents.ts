import { queryOptions } from '@tanstack/react-query';
import { api, take } from './client';
import type { Agent, Page } from './types';

export const agentListQuery = queryOptions({
  queryKey: ['agents', 'list'],
  queryFn: async ({ signal }) => (await take(api.GET('/api/v1/agents', { signal }))) as Page<Agent>,
});

export const agentQuery = (slug: string) =>
  queryOptions({
    queryKey: ['agents', 'one', slug],
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/agents/{slug}', { params: { path: { slug } }, signal }))) as Agent,
  });
