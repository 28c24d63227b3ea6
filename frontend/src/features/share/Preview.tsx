import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sharePreviewQuery } from '../../api/shares';
import type { ShareRequest } from '../../api/types';
import { formatCount } from '../../ui/format';
import { ErrorState, Skeleton } from '../../ui/states';
import { MaskedCounts } from './MaskedCounts';
import styles from './share.module.css';

/** How many events a reader gets, and what is masked in them: counted by the server, as it will publish them. */
export function Preview({ sessionId, request }: { sessionId: string; request: ShareRequest }) {
  const { t } = useTranslation('share');
  const { from, to, show } = request;
  const query = useQuery({ ...sharePreviewQuery(sessionId, { from, to, show }), placeholderData: keepPreviousData });
  return (
    <section className={styles.preview} aria-busy={query.isFetching}>
      <h3>{t('readerGets')}</h3>
      {query.isPending && <Skeleton rows={2} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <>
          <p>{t('eventsOf', { count: query.data.events, shown: formatCount(query.data.events), total: formatCount(query.data.total) })}</p>
          <MaskedCounts masked={query.data.masked} />
        </>
      )}
    </section>
  );
}
