import { OctagonX, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/errors';
import { Button } from './Button';
import styles from './states.module.css';

/** Refusals that have one reason each, said in the language of the page. */
const KNOWN = { 401: 'refused.signIn', 403: 'refused.notAllowed', 404: 'refused.notFound', 429: 'refused.tooMany', 500: 'refused.broken', 503: 'refused.busy' } as const;

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

/** What is not there is a page of its own: the router's error page says so. */
export function throwMissing(error: unknown): void {
  if (error instanceof ApiError && error.status === 404) throw error;
}

/** Nobody answers: the API does not, or a part of the page itself did not come. */
const isOffline = (error: unknown): boolean =>
  error instanceof ApiError ? error.status === 0 : error instanceof TypeError && /module|fetch|import/i.test(error.message);

/** Says in place what failed, and offers to try again. */
export function ErrorState({ error, title, onRetry }: { error: unknown; title?: ReactNode; onRetry?: () => void }) {
  const { t } = useTranslation(['ui', 'common']);
  const offline = isOffline(error);
  return (
    <div className={styles.state} role="alert">
      <p className={styles.failed}>
        <OctagonX size={16} aria-hidden="true" />
        {title ?? t('failedTitle')}
      </p>
      <p>{offline ? t('offline') : error instanceof ApiError && error.status in KNOWN ? t(KNOWN[error.status as 401]) : error instanceof Error ? error.message : String(error)}</p>
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
