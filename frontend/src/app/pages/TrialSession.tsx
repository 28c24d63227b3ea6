import { PendingQuestions } from '../../features/approvals/PendingQuestions';
import { SessionPanel } from '../../features/session/SessionPanel';

/** A session beside the editor: its events, its answer, and the questions that wait for a person. */
export function TrialSession({ id }: { id: string }) {
  return <SessionPanel id={id} renderQuestions={(session) => <PendingQuestions session={session} />} />;
}
