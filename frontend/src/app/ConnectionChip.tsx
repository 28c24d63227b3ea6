import { clsx } from 'clsx';
import { CircleDot, CircleOff, LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useWorkspace } from '../live/workspace';
import { formatDuration } from '../ui/format';
import { useNow } from '../ui/use-now';
import styles from './Shell.module.css';

/** Whether what is shown is the present: shape and word. */
export function ConnectionChip() {
  const { t } = useTranslation('shell');
  const { connection } = useWorkspace();
  const now = useNow();
  if (connection.state === 'live') {
    return (
      <span className={clsx(styles.chip, styles.live)} role="status">
        <CircleDot size={14} aria-hidden="true" />
        <span className={styles.chipWord}>{t('connection.live')}</span>
      </span>
    );
  }
  if (connection.state === 'connecting') {
    return (
      <span className={styles.chip} role="status">
        <LoaderCircle size={14} aria-hidden="true" />
        <span className={styles.chipWord}>{t('connection.connecting')}</span>
      </span>
    );
  }
  const time = formatDuration(Math.max(1000, now - connection.since));
  return (
    <span className={clsx(styles.chip, styles.offline)} role="status">
      <CircleOff size={14} aria-hidden="true" />
      <span>{connection.final === 4401 ? t('connection.signedOut') : t('connection.offline', { time })}</span>
    </span>
  );
}
