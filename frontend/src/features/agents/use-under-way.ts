import { useQuery } from '@tanstack/react-query';
import { underWayQuery } from '../../api/agents';

/** How many sessions of an agent are under way, asked again as a dialog opens: a trial may just have ended. `null`: not known. */
export function useUnderWay(slug: string | null): number | null {
  const asked = useQuery({ ...underWayQuery(slug ?? ''), enabled: slug !== null });
  return asked.isFetching ? null : (asked.data ?? null);
}
