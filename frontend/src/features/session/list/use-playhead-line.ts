import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { linesBegun } from '../../../model/visible';
import { formatCount } from '../../../ui/format';
import { useSessionScope } from '../context';

const FOLLOW_MS = 125;

interface Parts {
  frame: RefObject<HTMLDivElement | null>;
  future: RefObject<HTMLDivElement | null>;
  line: RefObject<HTMLDivElement | null>;
  flag: RefObject<HTMLSpanElement | null>;
}

/**
 * Moves the red line and the veil over the future by hand, every frame if need be: React does not hear of it.
 * While it follows, the list scrolls along, at most eight times a second.
 */
export function usePlayheadLine({ frame, future, line, flag }: Parts, starts: Int32Array, height: number): { scrolledByUs: () => boolean } {
  const { playhead } = useSessionScope();
  /** Where the list was last scrolled to by the playhead, so that a person's scrolling can be told apart. */
  const ours = useRef(-1);
  const place = useEffectEvent((seq: number) => {
    const y = linesBegun(starts, seq) * height;
    if (future.current) future.current.style.transform = `translateY(${y}px)`;
    if (line.current) line.current.style.transform = `translateY(${y}px)`;
    if (flag.current) flag.current.textContent = `#${formatCount(seq)}`;
    return y;
  });
  const bring = useEffectEvent((seq: number, smoothEdge: boolean) => {
    const box = frame.current;
    if (!box) return;
    const y = linesBegun(starts, seq) * height;
    const edge = smoothEdge ? height * 3 : 0;
    if (y >= box.scrollTop + edge && y <= box.scrollTop + box.clientHeight - edge) return;
    const target = y < box.scrollTop + edge ? y - box.clientHeight * 0.3 : y - box.clientHeight * 0.7;
    ours.current = Math.max(0, Math.min(Math.round(target), box.scrollHeight - box.clientHeight));
    box.scrollTop = ours.current;
  });
  const toEnd = useEffectEvent(() => {
    const box = frame.current;
    if (!box) return;
    ours.current = Math.max(0, box.scrollHeight - box.clientHeight);
    box.scrollTop = ours.current;
  });
  useLayoutEffect(() => {
    const { seq, follow, live } = playhead.store.getState();
    place(seq);
    if (follow && live) toEnd();
    else if (follow) bring(seq, true);
  }, [starts, height, playhead]);
  useEffect(() => {
    let last = 0;
    return playhead.store.subscribe((state, before) => {
      if (state.seq === before.seq && state.follow === before.follow && state.live === before.live) return;
      place(state.seq);
      const now = performance.now();
      // While it glides or plays, React lags behind `seq`: the list waits for it instead of racing.
      if (!state.follow || (state.seq !== state.shown && now - last < FOLLOW_MS)) return;
      last = now;
      if (state.live) toEnd();
      else bring(state.seq, true);
    });
  }, [playhead]);
  return { scrolledByUs: () => frame.current !== null && Math.abs(frame.current.scrollTop - ours.current) < 2 };
}
