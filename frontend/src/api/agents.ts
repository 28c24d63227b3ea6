import { queryOptions } from '@tanstack/react-query';
import { api, take } from './client';
import type { Agent, Page } from './types';

/** Query keys in one place: what a new version makes old, and what it does not. */
export const agentKeys = {
  lists: ['agents', 'list'] as const,
  agents: ['agents', 'one'] as const,
  allVersions: ['agents', 'versions'] as const,
  wholeVersions: ['agents', 'version'] as const,
  versions: (slug: string) => ['agents', 'versions', slug] as const,
  version: (slug: string, version: number) => ['agents', 'version', slug, version] as const,
};

export const agentListQuery = queryOptions({
  queryKey: agentKeys.lists,
  queryFn: async ({ signal }) => (await take(api.GET('/api/v1/agents', { signal }))) as Page<Agent>,
});

export const agentQuery = (slug: string) =>
  queryOptions({
    queryKey: [...agentKeys.agents, slug],
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/agents/{slug}', { params: { path: { slug } }, signal }))) as Agent,
  });
