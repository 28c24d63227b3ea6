import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { agentLabels } from '../model/agent-label';
import { agentListQuery } from './agents';

/** How agents are called on this page, so that two of one name can be told apart. */
export function useAgentLabel(): (slug: string, name: string) => string {
  const { data } = useQuery({ ...agentListQuery, staleTime: 60_000 });
  return useMemo(() => agentLabels(data?.items ?? []), [data]);
}
