import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { decide, interruptKeys } from '../../api/interrupts';
import type { Decision, Interrupt } from '../../api/types';
import { useToast } from '../../ui/toast-context';
import { doneWord, type Verb } from './choices';
import { type Refusal, refusalOf } from './refusal';

/** Whether the question is still on screen: what comes of it is told in its place then, and in a notice otherwise. */
function useOnScreen() {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}

/** Tells who went on to another page what became of the decision that they pressed. */
function useTellElsewhere(interrupt: Interrupt) {
  const { t } = useTranslation(['approvals', 'common']);
  const toast = useToast();
  const navigate = useNavigate();
  const tool = interrupt.tool ?? t(`common:interrupt.${interrupt.kind}`);
  const notTaken = (verb: string, refusal: Refusal) => {
    if (refusal.kind === 'unheard') return t('leftUnheard', { verb, tool });
    return t('leftNotApplied', { verb, tool, reason: 'message' in refusal ? refusal.message : t(`leftReason.${refusal.kind}`) });
  };
  return {
    taken: (done: Interrupt) => toast({ text: t(`told.${doneWord(done)}`, { tool }) }),
    refused: ({ decision }: Decision, refusal: Refusal) =>
      toast({
        text: notTaken(t(`verb.${decision as Verb}`), refusal),
        tone: 'failed',
        action: { label: t('leftLook'), onClick: () => void navigate(`/approvals/${interrupt.id}`) },
      }),
  };
}

/** Sends a decision and keeps what is cached true, whoever has won and wherever its sender is by then. */
export function useDecide(interrupt: Interrupt, onDecided: (interrupt: Interrupt) => void) {
  const queries = useQueryClient();
  const onScreen = useOnScreen();
  const tell = useTellElsewhere(interrupt);
  const keep = (current: Interrupt) => {
    queries.setQueryData(interruptKeys.one(interrupt.id), current);
    void queries.invalidateQueries({ queryKey: [...interruptKeys.all, 'list'] });
  };
  const mutation = useMutation({
    mutationFn: (decision: Decision) => decide(interrupt.id, decision),
    onSuccess: (current) => {
      keep(current);
      if (onScreen.current) onDecided(current);
      else tell.taken(current);
    },
    onError: (error, decision) => {
      const refusal = refusalOf(error);
      if (refusal.kind === 'lost' && refusal.winner) keep(refusal.winner);
      else if (refusal.kind !== 'invalid' && refusal.kind !== 'failed') {
        void queries.invalidateQueries({ queryKey: interruptKeys.all });
      }
      if (!onScreen.current) tell.refused(decision, refusal);
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
