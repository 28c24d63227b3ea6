import { clsx } from 'clsx';
import { memo } from 'react';
import type { Headers } from '../../../model/headers';
import type { Row } from '../../../model/rows';
import type { TimeScale } from '../../../model/time-scale';
import { spanOf } from '../../../model/waterfall';
import styles from './waterfall.module.css';

interface TrackProps {
  headers: Headers;
  row: Row;
  scale: TimeScale;
  /** Until when a row lasts that is still open. */
  now: number;
}

/** When a row worked, and how long: a bar on the time axis that all rows share. */
export const Track = memo(function Track({ headers, row, scale, now }: TrackProps) {
  const { from, to } = spanOf(headers, row, now);
  const left = scale.place(from);
  const width = scale.place(to) - left;
  const open = row.settled === null && (row.state === 'open' || row.state === 'waiting');
  const outside = to < scale.from || from > scale.to;
  return (
    <span role="gridcell" className={styles.track}>
      {!outside && (
        <span
          className={clsx(styles.bar, styles[row.kind], (row.state === 'failed' || row.state === 'blocked') && styles.failed, open && styles.open, from === to && styles.moment)}
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
        />
      )}
    </span>
  );
});
