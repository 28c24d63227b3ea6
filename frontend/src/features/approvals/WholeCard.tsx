import { useQuery } from '@tanstack/react-query';
import { interruptQuery } from '../../api/interrupts';
import type { Interrupt } from '../../api/types';
import { ErrorState, Skeleton } from '../../ui/states';
import { InterruptCard } from './InterruptCard';
import { useSiblings } from './use-siblings';

interface WholeCardProps {
  id: string;
  /** What a list already knows of it, to show at once. */
  listed?: Interrupt;
  onDecided: (interrupt: Interrupt) => void;
}

/** The question under an id, whether or not a list still has it. */
export function WholeCard({ id, listed, onDecided }: WholeCardProps) {
  const query = useQuery({ ...interruptQuery(id), placeholderData: listed });
  const siblings = useSiblings(query.data);
  if (query.data) return <InterruptCard interrupt={query.data} siblings={siblings} onDecided={onDecided} />;
  return query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton rows={8} />;
}
