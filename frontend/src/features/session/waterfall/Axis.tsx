import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimeScale } from '../../../model/time-scale';
import { formatTick } from '../../../ui/format';
import styles from './waterfall.module.css';

/** The lines and hatches behind all bars, as one background that every row shares. */
export function gridOf({ ticks, idle }: TimeScale): CSSProperties {
  const lines = ticks.map(({ at }) => `linear-gradient(var(--line), var(--line)) ${at * 100}% 0 / 1px 100% no-repeat`);
  const hatches = idle.map(({ left, width }) => `repeating-linear-gradient(-45deg, transparent 0 4px, var(--line) 4px 5px) ${(left / (1 - width)) * 100}% 0 / ${width * 100}% 100% no-repeat`);
  return { '--time-grid': [...lines, ...hatches].join(', ') || 'none' } as CSSProperties;
}

/** What the time axis counts; each row says aloud how long it took, so this is for the eye. */
export function Axis({ scale }: { scale: TimeScale }) {
  const { t } = useTranslation('session');
  return (
    <div className={styles.axis} aria-hidden="true">
      <span className={styles.seq} />
      <span className={styles.sinceStart}>{t('sinceStart')}</span>
      <span className={styles.ticks}>
        {scale.ticks.map(({ at, ms }) => (
          <span key={ms} className={styles.tick} style={{ left: `${at * 100}%` }}>
            {formatTick(ms)}
          </span>
        ))}
      </span>
      <span className={styles.took}>{t('fact.duration')}</span>
    </div>
  );
}
