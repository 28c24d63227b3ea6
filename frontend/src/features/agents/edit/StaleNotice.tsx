import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { versionListQuery } from '../../../api/agent-versions';
import { Button } from '../../../ui/Button';
import { Time } from '../../../ui/figures';
import { Skeleton } from '../../../ui/states';
import styles from './editor.module.css';

interface StaleNoticeProps {
  slug: string;
  busy: boolean;
  onCompare: (version: number) => void;
  /** Saves the draft as the version after the newest one. */
  onAgain: (base: number) => void;
}

/** Somebody saved first: who, when, what it changes, and how one's own text becomes the version after it. */
export function StaleNotice({ slug, busy, onCompare, onAgain }: StaleNoticeProps) {
  const { t } = useTranslation('editor');
  const { data } = useQuery({ ...versionListQuery(slug), refetchOnMount: 'always', staleTime: 0 });
  const newest = data?.items[0];
  if (!newest) return <Skeleton rows={2} />;
  return (
    <div className={styles.stale} role="alert">
      <p>
        {t('stale.who', { name: newest.by ?? t('somebody'), version: newest.version })} <Time at={newest.created_at} />
        {newest.note && ` · ${newest.note}`}
      </p>
      <p className={styles.note}>{t('stale.hint', { version: newest.version, next: newest.version + 1 })}</p>
      <div className={styles.buttons}>
        <Button onClick={() => onCompare(newest.version)}>{t('stale.compare', { version: newest.version })}</Button>
        <Button variant="act" busy={busy} onClick={() => onAgain(newest.version)}>
          {t('stale.again', { next: newest.version + 1 })}
        </Button>
      </div>
    </div>
  );
}
