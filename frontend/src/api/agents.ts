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

const readAgent = async (slug: string, signal: AbortSignal) =>
  (await take(api.GET('/api/v1/agents/{slug}', { params: { path: { slug } }, signal }))) as Agent;

export const agentQuery = (slug: string) =>
  queryOptions({ queryKey: [...agentKeys.agents, slug], queryFn: ({ signal }) => readAgent(slug, signal) });

/**
 * How many sessions of an agent are under way now. Under a key of its own: a page that shows the agent would be built
 * anew of what has changed meanwhile, and a dialog that asks for this with it.
 */
export const underWayQuery = (slug: string) =>
  queryOptions({ queryKey: ['agents', 'under-way', slug], queryFn: async ({ signal }) => (await readAgent(slug, signal)).sessions.running, staleTime: 0 });
