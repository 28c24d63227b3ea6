import { useQuery } from '@tanstack/react-query';
import { underWayQuery } from '../../api/agents';

/** How many sessions of an agent are under way, asked again as a dialog opens: a trial may just have ended. */
export function useUnderWay(slug: string | null): number {
  return useQuery({ ...underWayQuery(slug ?? ''), enabled: slug !== null }).data ?? 0;
}
