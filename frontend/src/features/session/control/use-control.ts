import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { decide } from '../../../api/interrupts';
import { cancelSession, createBranch, pauseSession, resumeSession, sessionKeys } from '../../../api/sessions';
import type { Interrupt, Session } from '../../../api/types';
import type { Headers } from '../../../model/headers';
import { jump } from '../../../model/playback';
import { useToast } from '../../../ui/toast-context';
import { useErrorText } from '../../../ui/use-error-text';

const ENDED = new Set(['finished', 'limit', 'cancelled', 'failed']);

export const isEnded = (session: Session): boolean => ENDED.has(session.status);

/** What can be done to a session now. Each answer is the session as it stands after the command was taken. */
export function useControl(session: Session) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const tell = useErrorText();
  const onError = (error: Error) => toast({ text: tell(error), tone: 'failed' });
  const keep = (next: Session) => queries.setQueryData(sessionKeys.one(session.id), next);
  const pause = useMutation({ mutationFn: () => pauseSession(session.id), onSuccess: keep, onError });
  const resume = useMutation({ mutationFn: () => resumeSession(session.id), onSuccess: keep, onError });
  const cancel = useMutation({ mutationFn: (reason: string) => cancelSession(session.id, reason || undefined), onSuccess: keep, onError });
  /** Answers a question of the kind `retries`, or runs on from the last model request as a branch. */
  const retry = useMutation({
    mutationFn: async ({ question, headers }: { question: Interrupt | undefined; headers: Headers }) => {
      if (question) {
        await decide(question.id, { decision: 'retry', digest: question.digest });
        return null;
      }
      const at = jump(headers, headers.last + 1, 'model', -1) ?? headers.last;
      const { sessions } = await createBranch(session.id, { at });
      return sessions[0] ?? null;
    },
    onSuccess: (branch) => {
      if (branch) void navigate(`/s/${branch.id}`);
    },
    onError,
  });
  return { pause, resume, cancel, retry };
}
