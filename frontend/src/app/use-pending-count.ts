import { useQuery } from '@tanstack/react-query';
import { interruptListQuery } from '../api/interrupts';
import { useWorkspace } from '../live/workspace';

/** How many interrupts wait for the person who looks: what the socket says, before that what the list says. */
export function usePendingCount(): number {
  const { pendingForMe } = useWorkspace();
  const listed = useQuery({ ...interruptListQuery({ status: 'pending' }), enabled: pendingForMe === null });
  return pendingForMe ?? listed.data?.items.filter((each) => each.can_decide).length ?? 0;
}
