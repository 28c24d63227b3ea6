import { useMutation, useQueryClient } from '@tanstack/react-query';
import { decide, interruptKeys } from '../../api/interrupts';
import type { Decision, Interrupt } from '../../api/types';
import { refusalOf } from './refusal';

/** Sends a decision and keeps what is cached true, whoever has won. */
export function useDecide(interrupt: Interrupt, onDecided: (interrupt: Interrupt) => void) {
  const queries = useQueryClient();
  const keep = (current: Interrupt) => {
    queries.setQueryData(interruptKeys.one(interrupt.id), current);
    void queries.invalidateQueries({ queryKey: [...interruptKeys.all, 'list'] });
  };
  const mutation = useMutation({
    mutationFn: (decision: Decision) => decide(interrupt.id, decision),
    onSuccess: (current) => {
      keep(current);
      onDecided(current);
    },
    onError: (error) => {
      const refusal = refusalOf(error);
      if (refusal.kind === 'lost' && refusal.winner) keep(refusal.winner);
      else if (refusal.kind === 'changed' || refusal.kind === 'expired' || refusal.kind === 'lost') {
        void queries.invalidateQueries({ queryKey: interruptKeys.all });
      }
    },
  });
  return {
    send: mutation.mutate,
    busy: mutation.isPending,
    /** What was sent last, and why it was not taken. */
    sent: mutation.variables ?? null,
    refusal: mutation.isError ? refusalOf(mutation.error) : null,
    forget: mutation.reset,
  };
}
