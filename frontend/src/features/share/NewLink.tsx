import { Copy, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NewShare } from '../../api/types';
import { Badge } from '../../ui/badges';
import { Button } from '../../ui/Button';
import { copyText } from '../../ui/copy';
import { TextField } from '../../ui/fields';
import styles from './share.module.css';

interface NewLinkProps {
  share: NewShare;
  token: string;
  /** Taken back since: it opens nothing any more. */
  revoked: boolean;
  onRevoke: () => void;
  revoking: boolean;
}

const addressOf = (share: NewShare, token: string) => new URL(share.url || `/r/${token}`, window.location.origin).href;

/** The new link, on the one occasion that it can be shown. */
export function NewLink({ share, token, revoked, onRevoke, revoking }: NewLinkProps) {
  const { t } = useTranslation(['share', 'common']);
  const [copied, setCopied] = useState(false);
  const address = addressOf(share, token);
  if (revoked) {
    return (
      <p role="status">
        <Badge tone="cancelled">{t('revoked')}</Badge> {t('revokedHint')}
      </p>
    );
  }
  return (
    <div className={styles.form}>
      <p role="status">{t('made')}</p>
      <TextField label={t('link')} mono readOnly value={address} onChange={() => undefined} onFocus={(event) => event.target.select()} />
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
