import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../api/sessions';
import { createShare, shareListQuery } from '../../api/shares';
import type { NewShare, Session, ShareRequest } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { ErrorState, Skeleton } from '../../ui/states';
import { useErrorText } from '../../ui/use-error-text';
import { LinkList, useRevoke } from './LinkList';
import { NewLink } from './NewLink';
import { Preview } from './Preview';
import styles from './share.module.css';
import { emptyShare, toShareRequest } from './share-form';
import { ShareForm } from './ShareForm';

/** The token comes once, with the answer that made the link. */
const tokenOf = (share: NewShare): string => share.token ?? share.url?.split('/').at(-1) ?? '';

function useReason(request: ShareRequest | null): string | null {
  const { t } = useTranslation(['share', 'common']);
  const me = useMe();
  if (!me.can.operate) return t('common:needsRole', { role: t('common:role.operator') });
  return request ? null : t('mendRange');
}

function OpenDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation(['share', 'common']);
  const tell = useErrorText();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(() => emptyShare(session.title, session.head_seq));
  const [made, setMade] = useState<NewShare | null>(null);
  const request = toShareRequest(draft, session.head_seq);
  const reason = useReason(request);
  const create = useMutation({
    mutationFn: (body: ShareRequest) => createShare(session.id, body),
    onSuccess: (share) => {
      setMade(share);
      void queries.invalidateQueries({ queryKey: shareListQuery(session.id).queryKey });
    },
  });
  const revoke = useRevoke(session.id);
  const listed = useQuery(shareListQuery(session.id)).data?.items.find((share) => share.id === made?.id);
  const revoked = revoke.isSuccess || Boolean(listed?.revoked_at);
  const send = () => {
    if (request && reason === null && !create.isPending) create.mutate(request);
  };
  const footer = made ? (
    <Button onClick={onClose}>{t('common:close')}</Button>
  ) : (
    <>
      <Button onClick={onClose}>{t('common:cancel')}</Button>
      <Button variant="primary" icon={<Share2 size={14} />} busy={create.isPending} disabledReason={reason} onClick={send}>
        {t('create')}
      </Button>
    </>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('title')} description={t('frozen')} footer={footer} onSubmitKey={made ? undefined : send}>
      <div className={styles.form}>
        {made ? (
          <NewLink share={made} token={tokenOf(made)} revoked={revoked} revoking={revoke.isPending} onRevoke={() => revoke.mutate(made.id)} />
        ) : (
          <ShareForm draft={draft} head={session.head_seq} onChange={setDraft} />
        )}
        {request && <Preview sessionId={session.id} request={request} />}
        {create.error && !made && (
          <p className={styles.error} role="alert">
            {tell(create.error)}
          </p>
        )}
        <LinkList sessionId={session.id} />
      </div>
    </Dialog>
  );
}

/** Publishes a frozen, masked range of a session under a link that ends. */
export function ShareDialog({ sessionId, onClose }: { sessionId: string; onClose: () => void }) {
  const { t } = useTranslation('share');
  const session = useQuery(sessionQuery(sessionId));
  if (session.data) return <OpenDialog session={session.data} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('title')}>
      {session.isError ? <ErrorState error={session.error} onRetry={() => void session.refetch()} /> : <Skeleton rows={6} />}
    </Dialog>
  );
}
