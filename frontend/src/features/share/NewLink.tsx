import { useQuery } from '@tanstack/react-query';
import { Copy, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sharedReplayQuery } from '../../api/shares';
import type { Share } from '../../api/types';
import { Button } from '../../ui/Button';
import { copyText } from '../../ui/copy';
import { TextField } from '../../ui/fields';
import { formatCount } from '../../ui/format';
import { ErrorState, Skeleton } from '../../ui/states';
import { MaskedCounts } from './MaskedCounts';
import styles from './share.module.css';

interface NewLinkProps {
  share: Share;
  token: string;
  onRevoke: () => void;
  revoking: boolean;
}

const addressOf = (share: Share, token: string) => new URL(share.url || `/r/${token}`, window.location.origin).href;

/** The new link, and what its readers get: asked for as a reader does, so that the two cannot differ. */
export function NewLink({ share, token, onRevoke, revoking }: NewLinkProps) {
  const { t } = useTranslation(['share', 'common']);
  const preview = useQuery({ ...sharedReplayQuery(token), gcTime: 0 });
  const [copied, setCopied] = useState(false);
  const address = addressOf(share, token);
  return (
    <div className={styles.form}>
      <p role="status">{t('made')}</p>
      <TextField label={t('link')} mono readOnly value={address} onChange={() => undefined} onFocus={(event) => event.target.select()} />
      {preview.isPending && <Skeleton rows={2} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && (
        <section className={styles.preview}>
          <h3>{t('readerGets')}</h3>
          <p>{t('eventsOf', { count: preview.data.events.length, shown: formatCount(preview.data.events.length), total: formatCount(preview.data.total) })}</p>
          <MaskedCounts masked={preview.data.masked} />
        </section>
      )}
      <div className={styles.actions}>
        <Button variant="primary" icon={<Copy size={14} />} onClick={() => void copyText(address).then(setCopied)}>
          {copied ? t('common:linkCopied') : t('copyLink')}
        </Button>
        <a className={styles.open} href={address} target="_blank" rel="noreferrer">
          <ExternalLink size={14} aria-hidden="true" />
          {t('asReader')}
        </a>
        <Button variant="danger" busy={revoking} onClick={onRevoke}>
          {t('revoke')}
        </Button>
      </div>
    </div>
  );
}
