import { formatCount, formatMoney, formatRelative, formatUtc, UNKNOWN } from './format';
import styles from './figures.module.css';
import { useNow } from './use-now';

/** How long ago, or until when; the exact UTC time on hover and for screen readers. */
export function Time({ at, exact = false }: { at: string | null; exact?: boolean }) {
  const now = useNow();
  if (at === null) return <span className={styles.figure}>{UNKNOWN}</span>;
  return (
    <time className={styles.figure} dateTime={at} title={formatUtc(at)}>
      {exact ? formatUtc(at) : formatRelative(at, now)}
    </time>
  );
}

/** US dollars from a decimal string; `null` (price not known) is shown as "—", never as 0. */
export function Money({ amount }: { amount: string | null }) {
  return <span className={styles.figure}>{formatMoney(amount)}</span>;
}

export function Count({ value }: { value: number | null }) {
  return <span className={styles.figure}>{formatCount(value)}</span>;
}

/** "#12,832": the number of an event, as it is spoken of everywhere. */
export function Seq({ value }: { value: number }) {
  return <span className={`${styles.figure} ${styles.mono}`}>#{formatCount(value)}</span>;
}
