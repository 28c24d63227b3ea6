import { useQuery } from '@tanstack/react-query';
import { agentQuery } from '../../api/agents';

/**
 * How many sessions of an agent are under way, asked again as a dialog opens: a trial may just have ended. It is kept
 * apart from what the page shows: a version that somebody else has saved must not change the page below the dialog.
 */
export function useUnderWay(slug: string | null): number {
  const query = agentQuery(slug ?? '');
  const agent = useQuery({ queryKey: [...query.queryKey, 'under way'], queryFn: query.queryFn, enabled: slug !== null, refetchOnMount: 'always' });
  return agent.data?.sessions.running ?? 0;
}
