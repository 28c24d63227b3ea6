import { clsx } from 'clsx';
import { ChevronDown, ChevronRight, Hourglass } from 'lucide-react';
import { memo } from 'react';
import type { Row } from '../../../model/rows';
import type { TimeScale } from '../../../model/time-scale';
import type { Line } from '../../../model/visible';
import { KindGlyph } from '../../../ui/badges';
import { formatDuration, formatMoney } from '../../../ui/format';
import { plainText } from '../../../model/hidden-text';
import { asOf } from '../as-of';
import { rowIcon, rowName, type RowWords } from '../row-words';
import { useSessionScope, useStream } from '../context';
import { Track } from '../waterfall/Track';
import styles from './EventList.module.css';

interface LineProps {
  line: Line;
  index: number;
  top: number;
  selected: boolean;
  open: boolean;
  /** Where the playhead cuts through this row: it began, but has not ended. null elsewhere. */
  cut: number | null;
  /** Handed down, since a row is drawn too often to look up its words by itself. */
  words: RowWords;
  /** The time axis, when rows have bars on it, and until when an open one lasts. */
  scale: TimeScale | null;
  now: number;
  slow: boolean;
  onToggle: (seq: number) => void;
}

export const lineId = (index: number) => `line-${index}`;

function Note({ row, words }: { row: Row; words: RowWords }) {
  const text = words.note(row);
  if (!text) return null;
  const tone = row.state === 'failed' || row.state === 'blocked' || row.state === 'rejected' ? styles.failed : row.state === 'waiting' ? styles.waiting : row.state === 'open' ? styles.running : undefined;
  return <span className={clsx(styles.note, tone)}>{text}</span>;
}

/** The end of the text that is being written now; the list shows one line of it. */
function Passing({ row }: { row: Row }) {
  const stream = useStream(row.seq);
  const text = stream?.parts.find((part) => part.part === 'text')?.text;
  return <span className={styles.label}>{plainText(text?.slice(-160) ?? row.label)}</span>;
}

interface CellsProps {
  row: Row;
  hasChildren: boolean;
  open: boolean;
  words: RowWords;
  scale: TimeScale | null;
  now: number;
  slow: boolean;
  onToggle: (seq: number) => void;
}

function RowCells({ row, hasChildren, open, words, scale, now, slow, onToggle }: CellsProps) {
  const { source } = useSessionScope();
  return (
    <>
      <span role="gridcell" className={styles.name} style={{ paddingLeft: Math.min(row.depth, 6) * 14 }}>
        {hasChildren ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.caret}
            aria-label={words.caret(open)}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row.seq);
            }}
          >
            {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          </button>
        ) : (
          <span className={styles.noCaret} />
        )}
        <KindGlyph kind={rowIcon(row)} effectful={row.effectful} />
        <span className={styles.who}>{rowName(row, words)}</span>
        {row.kind === 'model' && row.state === 'open' ? <Passing row={row} /> : <span className={styles.label}>{plainText(row.label)}</span>}
        <Note row={row} words={words} />
      </span>
      {scale ? (
        <Track headers={source.headers} row={row} scale={scale} now={now} />
      ) : (
        <>
          <span role="gridcell" className={clsx(styles.figure, styles.tokens, styles.wide)}>
            {words.tokens(row)}
          </span>
          <span role="gridcell" className={clsx(styles.figure, styles.wide)}>
            {row.kind !== 'model' || row.state === 'open' ? '' : formatMoney(Number.isNaN(row.cost) ? null : String(row.cost))}
          </span>
        </>
      )}
      <span role="gridcell" className={clsx(styles.figure, slow && styles.slow)}>
        {slow && <Hourglass size={11} aria-hidden="true" />}
        {Number.isNaN(row.ms) ? '' : formatDuration(row.ms)}
      </span>
    </>
  );
}

/** One line of the list. It is drawn as of the playhead: an answer that lies in the future is not told. */
export const EventLine = memo(function EventLine({ line, index, top, selected, open, cut, words, scale, now, slow, onToggle }: LineProps) {
  const style = { transform: `translateY(${top}px)` };
  if (line.kind === 'gap') {
    return (
      <div id={lineId(index)} role="row" aria-rowindex={index + 1} tabIndex={-1} className={clsx(styles.row, styles.gap)} style={style}>
        <span className={styles.seq} />
        <span role="gridcell" className={styles.gapText}>
          {words.gap(line)}
        </span>
      </div>
    );
  }
  const row = cut === null ? line.row : asOf(line.row, cut);
  const told = slow && !Number.isNaN(row.ms);
  return (
    <div
      id={lineId(index)}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-level={row.depth + 1}
      aria-expanded={line.hasChildren ? open : undefined}
      aria-selected={selected}
      aria-label={told ? words.slow(row) : words.sentence(row)}
      data-index={index}
      className={clsx(styles.row, selected && styles.selected)}
      style={style}
    >
      <span role="gridcell" className={styles.seq}>
        {row.seq}
      </span>
      <RowCells row={row} hasChildren={line.hasChildren} open={open} words={words} scale={scale} now={now} slow={told} onToggle={onToggle} />
    </div>
  );
});
