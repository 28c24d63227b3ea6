import { clsx } from 'clsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '../../../model/rows';
import type { Line } from '../../../model/visible';
import { KindIcon } from '../../../ui/badges';
import { formatCount, formatDuration, formatMoney } from '../../../ui/format';
import { revealText } from '../../../model/hidden-text';
import { asOf } from '../as-of';
import { rowName, useRowWords } from '../row-words';
import { useStream } from '../context';
import styles from './EventList.module.css';

interface LineProps {
  line: Line;
  index: number;
  top: number;
  selected: boolean;
  open: boolean;
  /** Where the playhead cuts through this row: it began, but has not ended. null elsewhere. */
  cut: number | null;
  onSelect: (line: Line) => void;
  onMove: (line: Line) => void;
  onToggle: (seq: number) => void;
}

export const lineId = (index: number) => `line-${index}`;

const plain = (label: string): string =>
  revealText(label)
    .map((part) => (part.kind === 'sealed' ? `[${part.type}]` : part.text))
    .join('');

function Note({ row }: { row: Row }) {
  const words = useRowWords();
  const text = words.note(row);
  if (!text) return null;
  const tone = row.state === 'failed' || row.state === 'blocked' || row.state === 'rejected' ? styles.failed : row.state === 'waiting' ? styles.waiting : row.state === 'open' ? styles.running : undefined;
  return <span className={clsx(styles.note, tone)}>{text}</span>;
}

/** The end of the text that is being written now; the list shows one line of it. */
function Label({ row }: { row: Row }) {
  const stream = useStream(row.seq);
  const passing = row.state === 'open' ? stream?.parts.find((part) => part.part === 'text')?.text : undefined;
  return <span className={styles.label}>{plain(passing ? passing.slice(-160) : row.label)}</span>;
}

function RowCells({ row, hasChildren, open, onToggle }: { row: Row; hasChildren: boolean; open: boolean; onToggle: (seq: number) => void }) {
  const { t } = useTranslation('session');
  const words = useRowWords();
  return (
    <>
      <span role="gridcell" className={styles.name} style={{ paddingLeft: Math.min(row.depth, 6) * 14 }}>
        {hasChildren ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.caret}
            aria-label={open ? t('row.close') : t('row.open')}
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
        <KindIcon kind={row.kind} effectful={row.effectful} />
        <span className={styles.who}>{rowName(row, words)}</span>
        <Label row={row} />
        <Note row={row} />
      </span>
      <span role="gridcell" className={clsx(styles.figure, styles.wide)}>
        {Number.isNaN(row.tokensOut) ? '' : `${formatCount((Number.isNaN(row.tokensIn) ? 0 : row.tokensIn) + row.tokensOut)} tok`}
      </span>
      <span role="gridcell" className={clsx(styles.figure, styles.wide)}>
        {row.kind !== 'model' || row.state === 'open' ? '' : formatMoney(Number.isNaN(row.cost) ? null : String(row.cost))}
      </span>
      <span role="gridcell" className={styles.figure}>
        {Number.isNaN(row.ms) ? '' : formatDuration(row.ms)}
      </span>
    </>
  );
}

/** One line of the list. It is drawn as of the playhead: an answer that lies in the future is not told. */
export const EventLine = memo(function EventLine({ line, index, top, selected, open, cut, onSelect, onMove, onToggle }: LineProps) {
  const { t } = useTranslation('session');
  const words = useRowWords();
  const style = { transform: `translateY(${top}px)` };
  if (line.kind === 'gap') {
    return (
      <div id={lineId(index)} role="row" aria-rowindex={index + 1} tabIndex={-1} className={clsx(styles.row, styles.gap)} style={style}>
        <span className={styles.seq} />
        <span role="gridcell" className={styles.gapText}>
          {t(`gap.${line.reason}`, { time: formatDuration(line.ms) })}
        </span>
      </div>
    );
  }
  const row = cut === null ? line.row : asOf(line.row, cut);
  return (
    <div
      id={lineId(index)}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-level={row.depth + 1}
      aria-expanded={line.hasChildren ? open : undefined}
      aria-selected={selected}
      aria-label={words.sentence(row)}
      data-seq={row.seq}
      className={clsx(styles.row, selected && styles.selected)}
      style={style}
      onClick={() => onSelect(line)}
      onDoubleClick={() => onMove(line)}
      onKeyDown={undefined}
    >
      <span role="gridcell" className={styles.seq}>
        {row.seq}
      </span>
      <RowCells row={row} hasChildren={line.hasChildren} open={open} onToggle={onToggle} />
    </div>
  );
});
