import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import styles from './Split.module.css';

interface SplitProps {
  /** What the handle is called for screen readers. */
  label: string;
  /** Under which name the position is remembered in this browser. */
  storageKey: string;
  /** Share of the first side in percent: at the start, and after a double click on the handle. */
  initial: number;
  min: number;
  max: number;
  first: ReactNode;
  second: ReactNode;
}

const STEP = 2;

function stored(key: string, initial: number): number {
  const value = Number.parseFloat(localStorage.getItem(key) ?? '');
  return Number.isNaN(value) ? initial : value;
}

/** Two panes side by side with a handle between them: drag, arrow keys, double click to reset. */
export function Split({ label, storageKey, initial, min, max, first, second }: SplitProps) {
  const [share, setShare] = useState(() => stored(storageKey, initial));
  const box = useRef<HTMLDivElement>(null);
  const bounds = useRef({ left: 0, width: 1 });
  const put = (next: number) => {
    const kept = Math.min(max, Math.max(min, next));
    setShare(kept);
    localStorage.setItem(storageKey, String(kept));
  };
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    if (box.current) bounds.current = box.current.getBoundingClientRect();
  };
  const onPointerMove = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) put(((event.clientX - bounds.current.left) / bounds.current.width) * 100);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    put(share + direction * STEP);
  };
  return (
    <div ref={box} className={styles.split} style={{ '--share': share } as CSSProperties}>
      <div className={styles.side}>{first}</div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a value is a control (WAI-ARIA window splitter) */}
      <div
        className={styles.handle}
        role="separator"
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={Math.round(share)}
        aria-valuemin={min}
        aria-valuemax={max}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
        onDoubleClick={() => put(initial)}
      />
      <div className={styles.side}>{second}</div>
    </div>
  );
}
