import { useQuery } from '@tanstack/react-query';
import { interruptListQuery } from '../../api/interrupts';
import type { Interrupt } from '../../api/types';
import { siblingsOf, turnOf } from './turns';

/** The questions of the same turn, the decided ones too. */
export function useSiblings(interrupt: Interrupt | undefined): Interrupt[] {
  const inTurn = interrupt !== undefined && turnOf(interrupt) !== null;
  const query = useQuery({ ...interruptListQuery({ session: interrupt?.session }), enabled: inTurn });
  return interrupt ? siblingsOf(interrupt, query.data?.items ?? []) : [];
}
