import { Clock } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Interrupt } from '../../api/types';
import { formatDuration, formatUtc } from '../../ui/format';
import { useNow } from '../../ui/use-now';
import styles from './approvals.module.css';

/** How much time is left, as a bar and in words, and what happens then. */
export function ExpiryLine({ interrupt }: { interrupt: Interrupt }) {
  const { t } = useTranslation('approvals');
  const now = useNow();
  if (interrupt.expires_at === null) return <p className={styles.muted}>{t('neverExpires')}</p>;
  const end = Date.parse(interrupt.expires_at);
  const left = Math.max(0, end - now);
  const share = left / Math.max(1, end - Date.parse(interrupt.created_at));
  const after = interrupt.on_expiry ? t(`atExpiry.${interrupt.on_expiry === 'reject' ? 'reject' : 'other'}`, { what: interrupt.on_expiry }) : '';
  return (
    <p className={share < 0.1 ? styles.warning : styles.muted} title={formatUtc(interrupt.expires_at)}>
      <Clock size={13} aria-hidden="true" />
      <span className={styles.expiry} style={{ '--left': `${Math.min(100, share * 100)}%` } as CSSProperties} aria-hidden="true" />
      {left > 0 ? t('expiresIn', { time: formatDuration(left) }) : t('expiresNow')} {after}
    </p>
  );
}
