import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { ArrowDown } from 'lucide-react';
import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSlow } from '../../../model/slow';
import { type Line, linesBegun } from '../../../model/visible';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/states';
import { useLogVersion, usePlayhead, useSessionScope } from '../context';
import { useRowWords } from '../row-words';
import styles from './EventList.module.css';
import { EventLine, lineId } from './EventRow';
import { rowHeight } from './row-height';
import { useLines } from './use-lines';
import { useListKeys } from './use-list-keys';
import { usePlayheadLine } from './use-playhead-line';
import { Axis, gridOf } from '../waterfall/Axis';
import { useScale } from '../waterfall/use-scale';

/** Rows are re-pointed instead of mounted anew: more than are ever on screen together. */
const POOL = 128;

interface EventListProps {
  filter: string;
  selected: number | null;
  onClearFilter: () => void;
  /** With bars on a time axis: of what is on screen, or of the whole session. */
  axis?: 'screen' | 'whole' | null;
}

/** Where in the list the selected event is; -1 when it is filtered out. */
function useSelectedIndex(lines: Line[], starts: Int32Array, selected: number | null): number {
  const { rows } = useSessionScope();
  const shown = usePlayhead((state) => state.shown);
  const row = rows.rowOf(selected ?? shown);
  if (!row) return -1;
  const index = linesBegun(starts, row.seq) - 1;
  const line = lines[index];
  return line?.kind === 'row' && line.row.seq === row.seq ? index : -1;
}

/** "37 new": what came while the list stood still. Content never moves under the pointer. */
function NewEvents() {
  const { t } = useTranslation('session');
  const { source, playhead } = useSessionScope();
  useLogVersion();
  const parkedAt = usePlayhead((state) => (state.live && !state.follow ? state.parkedAt : null));
  const count = parkedAt === null ? 0 : source.headers.last - parkedAt;
  if (count <= 0) return null;
  return (
    <span className={styles.new}>
      <Button icon={<ArrowDown size={14} />} onClick={playhead.goLive}>
        {t('newEvents', { count })}
      </Button>
    </span>
  );
}

export function EventList({ filter, selected, onClearFilter, axis = null }: EventListProps) {
  const { t } = useTranslation('session');
  const { source, playhead, select, goTo } = useSessionScope();
  const { lines, starts, hidden, slow, closed, toggle } = useLines(filter);
  const words = useRowWords();
  const [height] = useState(rowHeight);
  const frame = useRef<HTMLDivElement>(null);
  const future = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const flag = useRef<HTMLSpanElement>(null);
  const shown = usePlayhead((state) => state.shown);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 8,
    useFlushSync: false,
  });
  const { scale, now } = useScale(axis, lines, virtual.range);
  const { scrolledByUs } = usePlayheadLine({ frame, future, line, flag }, starts, height);
  const current = useSelectedIndex(lines, starts, selected);
  const onSelect = useCallback((each: Line) => each.kind === 'row' && select(each.row.seq), [select]);
  const onMove = useCallback((each: Line) => each.kind === 'row' && goTo(each.row.last), [goTo]);
  const at = (event: MouseEvent, act: (each: Line) => void) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]');
    const each = lines[Number(row?.dataset.index)];
    if (each) act(each);
  };
  const onKeyDown = useListKeys({ lines, current, closed, toggle, onSelect, onMove, reveal: (index) => virtual.scrollToIndex(index) });
  useEffect(() => {
    if (selected !== null && current >= 0) virtual.scrollToIndex(current);
    // Only a new selection brings its row into view; a growing log does not.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [selected]);
  if (lines.length === 0 && hidden > 0) {
    return (
      <EmptyState
        title={t('nothingMatches')}
        action={<Button onClick={onClearFilter}>{t('clearFilter')}</Button>}
      >
        <p>{t('hiddenByFilter', { count: hidden })}</p>
      </EmptyState>
    );
  }
  return (
    <>
      {scale && <Axis scale={scale} />}
      <div
        ref={frame}
        className={clsx(styles.frame, scale && styles.bars)}
        style={scale ? gridOf(scale) : undefined}
        role="treegrid"
        aria-label={t('events')}
        aria-rowcount={lines.length}
        aria-activedescendant={current >= 0 ? lineId(current) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={(event) => at(event, onSelect)}
        onDoubleClick={(event) => at(event, onMove)}
        onScroll={() => !scrolledByUs() && playhead.setFollow(false)}
      >
        <div className={styles.space} style={{ height: lines.length * height + height }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const each = lines[index];
            if (!each) return null;
            const row = each.kind === 'row' ? each.row : null;
            const cut = row !== null && row.seq <= shown && row.last > shown ? shown : null;
            return (
              <EventLine
                key={index % POOL}
                words={words}
                line={each}
                index={index}
                top={start}
                selected={index === current}
                open={row === null || !closed.has(row.seq)}
                cut={cut}
                scale={scale}
                now={cut === null ? now : (source.headers.ts[source.headers.at(cut)] ?? now)}
                slow={row !== null && isSlow(row, slow)}
                onToggle={toggle}
              />
            );
          })}
          <div ref={future} className={styles.future} />
          <div ref={line} className={styles.line}>
            <span ref={flag} className={styles.flag} />
          </div>
        </div>
      </div>
      <NewEvents />
    </>
  );
}
