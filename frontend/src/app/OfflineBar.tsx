import { useTranslation } from 'react-i18next';
import { retryConnection, useWorkspace } from '../live/workspace';
import { Button } from '../ui/Button';
import { formatDuration } from '../ui/format';
import { useNow } from '../ui/use-now';
import styles from './OfflineBar.module.css';

/** A short break mends itself; only a longer one is worth a sentence (milliseconds). */
const WORTH_SAYING = 3_000;

/** What does not work while the server is away, since when, what still does, and the way to try again. */
export function OfflineBar() {
  const { t } = useTranslation('shell');
  const { connection } = useWorkspace();
  const now = useNow();
  if (connection.state !== 'offline' || now - connection.since < WORTH_SAYING) return null;
  if (connection.final !== undefined) return null;
  return (
    <aside className={styles.bar} role="status">
      <p>
        <strong>{t('offline.title', { time: formatDuration(now - connection.since) })}</strong> {t('offline.body')}
      </p>
      <Button onClick={retryConnection}>{t('offline.retry')}</Button>
    </aside>
  );
}
