import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { interruptListQuery } from '../../api/interrupts';
import type { Session } from '../../api/types';
import { ErrorState, Skeleton } from '../../ui/states';
import { useToast } from '../../ui/toast-context';
import styles from './approvals.module.css';
import { doneWord } from './choices';
import { InterruptCard } from './InterruptCard';
import { siblingsOf } from './turns';

/** What a session waits for, to be decided where the session is looked at; one question at a time, the oldest first. */
export function PendingQuestions({ session }: { session: Session }) {
  const { t } = useTranslation('approvals');
  const toast = useToast();
  const waiting = session.status === 'waiting' && session.waiting_for !== 'time' && session.waiting_for !== null;
  const query = useQuery({ ...interruptListQuery({ session: session.id }), enabled: waiting });
  if (!waiting) return null;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Skeleton rows={3} />;
  const interrupt = query.data.items.filter((each) => each.status === 'pending').toSorted((a, b) => a.seq - b.seq)[0];
  if (!interrupt) return null;
  return (
    <div className={styles.beside}>
      <InterruptCard
        key={interrupt.id}
        inSession
        interrupt={interrupt}
        siblings={siblingsOf(interrupt, query.data.items)}
        onDecided={(done) => toast({ text: t(`told.${doneWord(done)}`, { tool: done.tool ?? '' }) })}
      />
    </div>
  );
}
