import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/Button';
import { useEditor } from './context';
import rows from './rows.module.css';

interface RowsProps {
  /** The list in the definition: "tools", "middleware". */
  place: string;
  label: string;
  count: number;
  nameOf: (index: number) => string;
  renderHead: (index: number) => ReactNode;
  renderBody: (index: number) => ReactNode;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
}

/** The row under a place of the screen: the last one whose middle is above it. */
function rowUnder(list: HTMLElement | null, y: number, from: number): number {
  const boxes = [...(list?.children ?? [])].map((row) => row.getBoundingClientRect());
  const before = boxes.filter((box, index) => index !== from && box.top + box.height / 2 < y).length;
  return before;
}

/** Carries a row by its handle, with a mouse, a pen or a finger. */
function useCarry(list: { current: HTMLElement | null }, onDrop: (from: number, to: number) => void) {
  const [carried, setCarried] = useState<{ from: number; to: number } | null>(null);
  const bind = (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setCarried({ from: index, to: index });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) setCarried({ from: index, to: rowUnder(list.current, event.clientY, index) });
    },
    onPointerUp: () => {
      if (carried && carried.from !== carried.to) onDrop(carried.from, carried.to);
      setCarried(null);
    },
    onPointerCancel: () => setCarried(null),
  });
  return { carried, bind };
}

/** A list whose order means something: moved by buttons, by Alt and an arrow, or carried by its handle. */
export function Rows({ place, label, count, nameOf, renderHead, renderBody, onMove, onRemove }: RowsProps) {
  const { t } = useTranslation('editor');
  const { announce } = useEditor();
  const list = useRef<HTMLOListElement>(null);
  const focus = (index: number, act: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`:scope > [data-row="${index}"] [data-act="${act}"]`)?.focus());
  const move = (from: number, to: number, act: string | null) => {
    if (to < 0 || to >= count || to === from) return;
    announce(t('rows.moved', { name: nameOf(from), place: to + 1, count }));
    onMove(from, to);
    if (act) focus(to, act);
  };
  const remove = (index: number) => {
    announce(t('rows.removed', { name: nameOf(index) }));
    onRemove(index);
    if (count > 1) focus(Math.min(index, count - 2), 'remove');
    else requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-add="${place}"]`)?.focus());
  };
  const { carried, bind } = useCarry(list, (from, to) => move(from, to, null));
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    // A row inside of this row has moved already.
    if (event.defaultPrevented || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const act = (event.target as HTMLElement).dataset.act ?? (event.key === 'ArrowUp' ? 'up' : 'down');
    move(index, index + (event.key === 'ArrowUp' ? -1 : 1), act);
  };
  return (
    <ol ref={list} className={rows.rows} aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move the row that holds the focused control
        <li
          key={index}
          data-row={index}
          data-field={`${place}.${index}`}
          className={clsx(rows.row, carried?.from === index && rows.carried, carried && carried.from !== index && carried.to === index && rows.target)}
          onKeyDown={(event) => onKeyDown(event, index)}
        >
          <div className={rows.rowHead}>
            <span className={rows.handle} aria-hidden="true" {...bind(index)}>
              <GripVertical size={14} />
            </span>
            <span className={rows.number}>{index + 1}</span>
            <div className={rows.rowTitle}>{renderHead(index)}</div>
            <span className={rows.rowActs}>
              <IconButton data-act="up" label={t('rows.up', { name: nameOf(index) })} icon={<ArrowUp size={14} />} disabledReason={index === 0 ? t('rows.first') : null} onClick={() => move(index, index - 1, 'up')} />
              <IconButton data-act="down" label={t('rows.down', { name: nameOf(index) })} icon={<ArrowDown size={14} />} disabledReason={index === count - 1 ? t('rows.last') : null} onClick={() => move(index, index + 1, 'down')} />
              <IconButton data-act="remove" label={t('rows.remove', { name: nameOf(index) })} icon={<Trash2 size={14} />} onClick={() => remove(index)} />
            </span>
          </div>
          {renderBody(index)}
        </li>
      ))}
    </ol>
  );
}
