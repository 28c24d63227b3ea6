import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Comparison } from '../../api/types';
import { formatCount } from '../../ui/format';
import { useMedia } from '../../ui/use-media';
import styles from './compare.module.css';
import { CompareLine } from './CompareLine';
import { ForkLine } from './ForkLine';
import { isEdit, linesOf } from './rows';
import { SharedPast } from './SharedPast';

const ROW = 30;
const NARROW_ROW = 44;

interface ListProps {
  comparison: Comparison;
  selected: number | null;
  /** The row the page opened at: the first difference that matters. */
  first: number | null;
  onlyDifferences: boolean;
  onSelect: (row: number) => void;
}

/** The rows after the fork, aligned; the past that both share is one folded line above them. */
export function CompareList({ comparison, selected, first, onlyDifferences, onSelect }: ListProps) {
  const { t } = useTranslation('compare');
  const height = useMedia('(max-width: 720px)') ? NARROW_ROW : ROW;
  const frame = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(comparison.rows, onlyDifferences), [comparison.rows, onlyDifferences]);
  const virtual = useVirtualizer({ count: lines.length, getScrollElement: () => frame.current, estimateSize: () => height, overscan: 12 });
  const at = lines.findIndex((line) => line.kind === 'row' && line.index === selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [virtual, at]);
  return (
    <div ref={frame} className={styles.list}>
      <SharedPast comparison={comparison} />
      <ForkLine comparison={comparison} />
      <div className={styles.space} style={{ height: virtual.getTotalSize() }} role="list" aria-label={t('rows')}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (!line) return null;
          return (
            <div key={item.key} className={styles.placed} style={{ transform: `translateY(${item.start}px)` }} role="listitem">
              {line.kind === 'folded' ? (
                <div className={styles.folded}>{t('folded', { count: line.count, shown: formatCount(line.count) })}</div>
              ) : (
                <CompareLine row={line.row} selected={line.index === selected} first={line.index === first} edited={isEdit(line.row, comparison.fork)} onSelect={() => onSelect(line.index)} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
