import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../api/sessions';
import { StatusBadge } from '../../ui/badges';
import { Page } from '../../ui/page';
import { ErrorState, Skeleton } from '../../ui/states';

export function SessionPage({ id }: { id: string }) {
  const { t } = useTranslation('shell');
  const session = useQuery(sessionQuery(id));
  if (session.isError) return <ErrorState error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data) return <Skeleton />;
  return (
    <Page title={session.data.title} crumbs={[{ label: t('sessions'), to: '/sessions' }]}>
      <StatusBadge status={session.data.status} waitingFor={session.data.waiting_for} lost={session.data.lost} />
    </Page>
  );
}
