import { queryOptions } from '@tanstack/react-query';
import { agentKeys } from './agents';
import { api, onlyOnce, take } from './client';
import type { Agent, AgentParts, AgentVersion, AgentVersionWhole, DefinitionCheck, JsonObject, Page } from './types';

export const partsQuery = queryOptions({
  queryKey: ['agents', 'parts'],
  queryFn: async ({ signal }) => (await take(api.GET('/api/v1/agents/parts', { signal }))) as AgentParts,
  staleTime: 60_000,
});

/** What is wrong with a definition. The same text has the same answer for a while: parts change with a restart only. */
export const checkQuery = (subject: { definition: JsonObject } | { yaml: string }) =>
  queryOptions({
    queryKey: ['agents', 'check', subject],
    queryFn: async ({ signal }) => (await take(api.POST('/api/v1/agents/check', { body: subject, signal }))) as DefinitionCheck,
    staleTime: 30_000,
    gcTime: 60_000,
  });

export const versionListQuery = (slug: string) =>
  queryOptions({
    queryKey: agentKeys.versions(slug),
    queryFn: async ({ signal }) => (await take(api.GET('/api/v1/agents/{slug}/versions', { params: { path: { slug } }, signal }))) as Page<AgentVersion>,
  });

export const versionQuery = (slug: string, version: number) =>
  queryOptions({
    queryKey: agentKeys.version(slug, version),
    queryFn: async ({ signal }) =>
      (await take(api.GET('/api/v1/agents/{slug}/versions/{number}', { params: { path: { slug, number: version } }, signal }))) as AgentVersionWhole,
  });

/** The same as the file that it is exported as; a version never changes. */
export const yamlQuery = (slug: string, version: number) =>
  queryOptions({
    queryKey: ['agents', 'yaml', slug, version],
    queryFn: async ({ signal }) =>
      (await take(
        api.GET('/api/v1/agents/{slug}/versions/{number}', { params: { path: { slug, number: version }, query: { format: 'yaml' } }, signal }),
      )) as unknown as string,
    staleTime: Infinity,
  });

/** Where a version stands as a YAML file, to read or to download. */
export const yamlAddress = (slug: string, version: number): string => `/api/v1/agents/${encodeURIComponent(slug)}/versions/${version}?format=yaml`;

export const createAgent = async (body: { definition: JsonObject; note: string; publish: boolean }) =>
  (await take(api.POST('/api/v1/agents', { body, headers: onlyOnce() }))) as Agent;

export const createVersion = async (slug: string, body: { definition: JsonObject; note: string; publish: boolean; base: number }) =>
  (await take(api.POST('/api/v1/agents/{slug}/versions', { params: { path: { slug } }, body, headers: onlyOnce() }))) as AgentVersionWhole;

export const publishVersion = async (slug: string, version: number) =>
  (await take(api.POST('/api/v1/agents/{slug}/publish', { params: { path: { slug } }, body: { version } }))) as Agent;

export const importAgent = async (body: { yaml: string; note: string; publish: boolean }) =>
  (await take(api.POST('/api/v1/agents/import', { body, headers: onlyOnce() }))) as Agent & { result: 'created' | 'version' | 'unchanged' };
