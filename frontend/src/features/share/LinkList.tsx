import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { revokeShare, shareListQuery } from '../../api/shares';
import type { Share } from '../../api/types';
import { Badge } from '../../ui/badges';
import { Button } from '../../ui/Button';
import { Time } from '../../ui/figures';
import { formatCount } from '../../ui/format';
import { ErrorState, Skeleton } from '../../ui/states';
import { useErrorText } from '../../ui/use-error-text';
import styles from './share.module.css';

const isOver = (share: Share) => share.expires_at !== null && Date.parse(share.expires_at) <= Date.now();

/** Takes a link back at once; the list follows. */
export function useRevoke(sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => revokeShare(id),
    onSuccess: () => void queries.invalidateQueries({ queryKey: shareListQuery(sessionId).queryKey }),
  });
}

function Row({ share, onRevoke, busy }: { share: Share; onRevoke: () => void; busy: boolean }) {
  const { t } = useTranslation('share');
  const dead = share.revoked_at ? t('revoked') : isOver(share) ? t('expired') : null;
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <span>{share.title || t('untitled')}</span>
        <span className={styles.note}>
          {share.from !== undefined && share.to !== undefined && `#${formatCount(share.from)}–#${formatCount(share.to)} · `}
          {share.created_at && <Time at={share.created_at} />}
          {share.views !== undefined && ` · ${t('views', { count: share.views, shown: formatCount(share.views) })}`}
        </span>
      </span>
      {dead ? (
        <Badge tone="cancelled">{dead}</Badge>
      ) : (
        <>
          <span className={styles.note}>
            {share.expires_at && (
              <>
                {t('ends')} <Time at={share.expires_at} />
              </>
            )}
          </span>
          <Button variant="danger" busy={busy} onClick={onRevoke}>
            {t('revoke')}
          </Button>
        </>
      )}
    </li>
  );
}

/** Links that exist, how often each was opened, and the way to take it back. */
export function LinkList({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('share');
  const tell = useErrorText();
  const query = useQuery(shareListQuery(sessionId));
  const revoke = useRevoke(sessionId);
  const shares = query.data?.items ?? [];
  return (
    <section className={styles.links}>
      <h3>{t('existing')}</h3>
      {query.isPending && <Skeleton rows={2} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && shares.length === 0 && <p className={styles.note}>{t('noLinks')}</p>}
      <ul>
        {shares.map((share) => (
          <Row key={share.id} share={share} busy={revoke.isPending && revoke.variables === share.id} onRevoke={() => revoke.mutate(share.id)} />
        ))}
      </ul>
      {revoke.error && (
        <p className={styles.error} role="alert">
          {tell(revoke.error)}
        </p>
      )}
    </section>
  );
}
