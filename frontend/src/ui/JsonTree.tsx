import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type CSSProperties, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Json } from '../api/types';
import { printJson } from '../model/json';
import { type JsonRow, jsonRows } from '../model/json-rows';
import { formatBytes } from './format';
import styles from './JsonTree.module.css';
import { PlainText } from './PlainText';

/** Longer strings are cut on screen until asked for, so that one value cannot freeze the page. */
const CUT = 2000;
const VIRTUAL_FROM = 120;

function flip(paths: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(paths);
  if (!next.delete(path)) next.add(path);
  return next;
}

function Leaf({ value }: { value: Json }) {
  const { t } = useTranslation('ui');
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string') {
    const word = value === null || typeof value === 'boolean';
    return <span className={word ? styles.word : styles.number}>{printJson(value)}</span>;
  }
  const cut = !whole && value.length > CUT;
  return (
    <span className={styles.string}>
      <PlainText>{`"${cut ? value.slice(0, CUT) : value}${cut ? '…' : '"'}`}</PlainText>
      {cut && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {t('showAll', { size: formatBytes(value.length) })}
        </button>
      )}
    </span>
  );
}

function Size({ row }: { row: JsonRow }) {
  const { t } = useTranslation('ui');
  const count = row.size ?? 0;
  return <span className={styles.size}>{Array.isArray(row.value) ? `[ ${t('items', { count })} ]` : `{ ${t('keys', { count })} }`}</span>;
}

function Row({ row, onToggle }: { row: JsonRow; onToggle: (path: string) => void }) {
  const { t } = useTranslation('ui');
  return (
    <div className={styles.row} style={{ '--depth': row.depth } as CSSProperties}>
      {row.size === null ? (
        <span className={styles.leaf} />
      ) : (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={row.open}
          aria-label={`${row.open ? t('collapse') : t('expand')} ${row.name ?? ''}`}
          onClick={() => onToggle(row.path)}
        >
          {row.open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        </button>
      )}
      {row.name !== null && <span className={styles.name}>{row.name}:</span>}
      <span className={styles.value}>{row.size === null ? <Leaf value={row.value} /> : <Size row={row} />}</span>
    </div>
  );
}

function VirtualRows({ rows, onToggle }: { rows: JsonRow[]; onToggle: (path: string) => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 20,
    getItemKey: (index) => rows[index]?.path ?? index,
    overscan: 12,
  });
  return (
    <div ref={frame} className={styles.tree}>
      <div className={styles.space} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className={clsx(styles.row, styles.placed)}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Row row={row} onToggle={onToggle} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** A JSON value as a tree of flat lines; a long one is virtualised. Strings are shown exactly, never formatted. */
export function JsonTree({ value }: { value: Json }) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => jsonRows(value, toggled), [value, toggled]);
  const toggle = (path: string) => setToggled((before) => flip(before, path));
  if (rows.length > VIRTUAL_FROM) return <VirtualRows rows={rows} onToggle={toggle} />;
  return (
    <div className={styles.tree}>
      {rows.map((row) => (
        <Row key={row.path} row={row} onToggle={toggle} />
      ))}
    </div>
  );
}
