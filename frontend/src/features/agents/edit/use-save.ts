import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createAgent, createVersion } from '../../../api/agent-versions';
import { agentKeys } from '../../../api/agents';
import type { JsonObject } from '../../../api/types';

export interface Save {
  definition: JsonObject;
  note: string;
  publish: boolean;
  /** The newest version that the writer knew of; null for an agent that is not there yet. */
  base: number | null;
}

export interface Saved {
  slug: string;
  version: number;
  published: boolean;
}

/** Stores a draft as the next version of its agent, or as a new agent's first. */
export function useSave(slug: string | null) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ definition, note, publish, base }: Save): Promise<Saved> => {
      if (slug === null) {
        const agent = await createAgent({ definition, note, publish });
        return { slug: agent.slug, version: agent.newest, published: publish };
      }
      const made = await createVersion(slug, { definition, note, publish, base: base ?? 0 });
      queries.setQueryData(agentKeys.version(slug, made.version), made);
      return { slug, version: made.version, published: publish };
    },
    onSuccess: () => Promise.all([agentKeys.lists, agentKeys.agents, agentKeys.allVersions].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
