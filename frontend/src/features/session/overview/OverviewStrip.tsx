import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { binHeaders, seqAt } from '../../../model/overview';
import { formatClock, formatCount } from '../../../ui/format';
import { useTheme } from '../../../ui/theme';
import { usePlayhead, useSessionScope } from '../context';
import { useStateWord } from '../use-state-word';
import { drawStrip, readPalette } from './draw';
import styles from './OverviewStrip.module.css';

const REDRAW_MS = 250;
/** Wide enough that a bar and the gap beside it can be seen. */
const COLUMN_PX = 4;

/** Draws anew when the log grows (four times a second at most), the box changes or the theme does. */
function useDrawing(box: React.RefObject<HTMLDivElement | null>, canvas: React.RefObject<HTMLCanvasElement | null>): void {
  const { source } = useSessionScope();
  const { shown: theme } = useTheme();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer = undefined;
      const width = box.current?.clientWidth ?? 0;
      if (!canvas.current || width === 0) return;
      const columns = Math.max(1, Math.min(Math.floor(width / COLUMN_PX), source.headers.count));
      drawStrip(canvas.current, binHeaders(source.headers, columns), width, readPalette());
    };
    const soon = () => {
      timer ??= setTimeout(draw, REDRAW_MS);
    };
    const stop = source.headers.subscribe(soon);
    const watcher = new ResizeObserver(draw);
    if (box.current) watcher.observe(box.current);
    draw();
    return () => {
      stop();
      watcher.disconnect();
      clearTimeout(timer);
    };
  }, [source, theme, box, canvas]);
}

/** Moves the line and the veil by hand, without React. */
function useLine(box: React.RefObject<HTMLDivElement | null>, line: React.RefObject<HTMLDivElement | null>, future: React.RefObject<HTMLDivElement | null>): void {
  const { source, playhead } = useSessionScope();
  const width = useRef(0);
  const place = useEffectEvent(() => {
    const { first, count } = source.headers;
    const x = count === 0 ? 0 : ((playhead.store.getState().seq - first + 1) / count) * width.current;
    const shift = `translateX(${Math.round(x)}px)`;
    if (line.current) line.current.style.transform = shift;
    if (future.current) future.current.style.transform = shift;
  });
  useEffect(() => {
    const stops = [playhead.store.subscribe(() => place()), source.headers.subscribe(() => place())];
    const watcher = new ResizeObserver(() => {
      width.current = box.current?.clientWidth ?? 0;
      place();
    });
    if (box.current) watcher.observe(box.current);
    return () => {
      for (const stop of stops) stop();
      watcher.disconnect();
    };
  }, [playhead, source, box]);
}

/** The whole session on 56 pixels: click or drag to move the playhead. The list is its equal for screen readers. */
export function OverviewStrip() {
  const { t } = useTranslation('session');
  const { source, playhead } = useSessionScope();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const future = useRef<HTMLDivElement>(null);
  const shown = usePlayhead((state) => state.shown);
  const word = useStateWord(shown);
  useDrawing(box, canvas);
  useLine(box, line, future);
  /** Measured when the drag begins: measuring in every move would lay the page out again. */
  const bounds = useRef({ left: 0, width: 1 });
  const seek = (event: PointerEvent<HTMLDivElement>, glide: boolean) => {
    if (!glide) bounds.current = event.currentTarget.getBoundingClientRect();
    const { left, width } = bounds.current;
    const seq = seqAt(source.headers, (event.clientX - left) / width);
    if (glide) playhead.glide(seq);
    else playhead.seek(seq);
    playhead.setFollow(true);
  };
  const { first, last, count } = source.headers;
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.round(count / 20));
    const moves: Record<string, number> = { ArrowLeft: shown - 1, ArrowRight: shown + 1, PageUp: shown - page, PageDown: shown + page, Home: first, End: last };
    const digit = /^\d$/.test(event.key) ? seqAt(source.headers, Number(event.key) / 10) : undefined;
    const target = moves[event.key] ?? digit;
    if (target === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    playhead.seek(target);
    playhead.setFollow(true);
  };
  const elapsed = (source.headers.ts[source.headers.at(shown)] ?? 0) - (source.headers.ts[0] ?? 0);
  return (
    <div
      ref={box}
      className={styles.strip}
      role="slider"
      tabIndex={0}
      aria-label={t('playhead')}
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={shown}
      aria-valuetext={t('playheadValue', { seq: formatCount(shown), last: formatCount(last), time: formatClock(elapsed), state: word })}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event, false);
      }}
      onPointerMove={(event) => event.buttons === 1 && seek(event, true)}
      onKeyDown={onKeyDown}
    >
      <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
      <div ref={future} className={styles.future} />
      <div ref={line} className={styles.line} />
    </div>
  );
}
