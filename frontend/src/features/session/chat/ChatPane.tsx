import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '../../../model/rows';
import { linesBegun } from '../../../model/visible';
import { asOf } from '../as-of';
import { useLogVersion, usePlayhead, useSessionScope } from '../context';
import { ChatItem } from './ChatItem';
import styles from './ChatPane.module.css';

/** Book-keeping of the loop is not part of a conversation. */
const QUIET = new Set(['session_start', 'step_end', 'lease', 'effect', 'session_end']);

const inChat = (row: Row) => row.state === 'failed' || !(QUIET.has(row.type) || row.internal);

/** The conversation as people and the agent saw it. What lies after the playhead is dimmed, never taken away. */
export function ChatPane({ selected }: { selected: number | null }) {
  const { t } = useTranslation('session');
  const { rows, playhead, select } = useSessionScope();
  const version = useLogVersion();
  const shown = usePlayhead((state) => state.shown);
  const follow = usePlayhead((state) => state.follow);
  const frame = useRef<HTMLDivElement>(null);
  const items = useMemo(() => (version >= 0 ? rows.rows.filter(inChat) : []), [rows, version]);
  const begun = linesBegun(Int32Array.from(items, (row) => row.seq), shown);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 64,
    getItemKey: (index) => items[index]?.seq ?? index,
    overscan: 6,
  });
  useEffect(() => {
    if (!follow || begun === 0) return;
    virtual.scrollToIndex(begun - 1, { align: 'end' });
  }, [begun, follow, version, virtual]);
  return (
    <div
      ref={frame}
      className={styles.frame}
      role="log"
      aria-label={t('view.chat')}
      aria-live="off"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
      tabIndex={0}
      onWheel={() => playhead.setFollow(false)}
      onTouchMove={() => playhead.setFollow(false)}
    >
      <div className={styles.space} style={{ height: virtual.getTotalSize() + 24 }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = items[index];
          if (!row) return null;
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={clsx(styles.item, index >= begun && styles.future, index === begun && styles.here)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ChatItem row={index < begun ? asOf(row, shown) : row} selected={row.seq === selected} onSelect={select} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
