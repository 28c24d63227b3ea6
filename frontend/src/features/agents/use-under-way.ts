import { useQuery } from '@tanstack/react-query';
import { agentQuery } from '../../api/agents';

/** How many sessions of an agent are under way, asked again as a dialog opens: a trial may just have ended. */
export function useUnderWay(slug: string | null): number {
  const agent = useQuery({ ...agentQuery(slug ?? ''), enabled: slug !== null, refetchOnMount: 'always' });
  return agent.data?.sessions.running ?? 0;
}
