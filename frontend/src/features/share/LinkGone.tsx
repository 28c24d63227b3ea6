import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors';
import { ErrorState } from '../../ui/states';
import styles from './share.module.css';

/** A link that opens nothing: never made, taken back or over. A reader is not told which of a stranger's links exist. */
export function LinkGone({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('share');
  const gone = error instanceof ApiError && [401, 403, 404, 410].includes(error.status);
  if (!gone) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <div className={styles.gone}>
      <h1 className={styles.replayTitle}>{t('gone')}</h1>
      <p>{error.code === 'expired' ? t('goneExpired') : t('goneHint')}</p>
    </div>
  );
}
