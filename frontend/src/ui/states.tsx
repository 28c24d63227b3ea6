import { OctagonX, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors';
import { Button } from './Button';
import styles from './states.module.css';

/** Says why there is nothing here, and the one next thing to do. */
export function EmptyState({ title, children, action }: { title: ReactNode; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>{title}</p>
      {children}
      {action}
    </div>
  );
}

/** Says in place what failed, and offers to try again. */
export function ErrorState({ error, title, onRetry }: { error: unknown; title?: ReactNode; onRetry?: () => void }) {
  const { t } = useTranslation(['ui', 'common']);
  const offline = error instanceof ApiError && error.status === 0;
  return (
    <div className={styles.state} role="alert">
      <p className={styles.failed}>
        <OctagonX size={16} aria-hidden="true" />
        {title ?? t('failedTitle')}
      </p>
      <p>{offline ? t('offline') : error instanceof Error ? error.message : String(error)}</p>
      {error instanceof ApiError && error.code && !offline && <code>{error.code}</code>}
      {onRetry && (
        <Button icon={<RotateCw size={14} />} onClick={onRetry}>
          {t('common:retry')}
        </Button>
      )}
    </div>
  );
}

/** Rows of the real height while a list loads; nothing at all for the first 300 ms. */
export function Skeleton({ rows = 8 }: { rows?: number }) {
  const { t } = useTranslation();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div className={styles.skeleton} role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={styles.row}>
          <span className={styles.bar} />
        </div>
      ))}
    </div>
  );
}
