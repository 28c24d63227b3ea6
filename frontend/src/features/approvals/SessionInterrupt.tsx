import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { interruptListQuery } from '../../api/interrupts';
import { useToast } from '../../ui/toast-context';
import { ErrorState, Skeleton } from '../../ui/states';
import { doneWord } from './choices';
import { InterruptCard } from './InterruptCard';
import { siblingsOf } from './turns';

/** The question of an event, answerable in the session where it arose. */
export function SessionInterrupt({ sessionId, seq }: { sessionId: string; seq: number }) {
  const { t } = useTranslation('approvals');
  const toast = useToast();
  const query = useQuery(interruptListQuery({ session: sessionId }));
  const interrupt = query.data?.items.find((each) => each.seq === seq);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Skeleton rows={6} />;
  if (!interrupt) return <p>{t('elsewhere')}</p>;
  return (
    <InterruptCard
      key={interrupt.id}
      inSession
      interrupt={interrupt}
      siblings={siblingsOf(interrupt, query.data.items)}
      onDecided={(done) => toast({ text: t(`told.${doneWord(done)}`, { tool: done.tool ?? '' }) })}
    />
  );
}
