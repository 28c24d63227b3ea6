import { useEffect, useMemo, useState } from 'react';
import { timeScale, type TimeScale } from '../../../model/time-scale';
import { type Line, idleGaps } from '../../../model/visible';
import { idleSpan, windowOf } from '../../../model/waterfall';
import { usePlayhead, useSessionScope } from '../context';

/** Which lines are on screen, the first and the last. */
interface Range {
  startIndex: number;
  endIndex: number;
}

const TICK_MS = 1000;

/** The present, every second while it is wanted. */
function useClock(wanted: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [wanted]);
  return now;
}

/** What time it is for calls that are still open: the clock's while the session is followed, else that of the last event. */
function useRunningTime(lines: readonly Line[]): number {
  const { source } = useSessionScope();
  const live = usePlayhead((state) => state.live);
  const last = source.headers.ts[source.headers.count - 1] ?? 0;
  const open = live && lines.some((line) => line.kind === 'row' && line.row.state === 'open');
  const clock = useClock(open);
  return open ? Math.max(last, clock) : last;
}

/** The time axis: of what is on screen, or of the whole session. Null where there is none. */
export function useScale(kind: 'screen' | 'whole' | null, lines: Line[], range: Range | null): { scale: TimeScale | null; now: number } {
  const { source } = useSessionScope();
  const { startIndex, endIndex } = range ?? { startIndex: 0, endIndex: 40 };
  const now = useRunningTime(kind === null ? NONE : lines);
  const scale = useMemo(() => {
    if (kind === null || lines.length === 0) return null;
    const { headers } = source;
    const shown = kind === 'whole' ? lines : lines.slice(startIndex, endIndex + 1);
    const idle = idleGaps(headers).map((gap) => idleSpan(headers, gap));
    return timeScale(windowOf(headers, shown, now), idle, headers.ts[0] ?? 0);
  }, [kind, source, lines, startIndex, endIndex, now]);
  return { scale, now };
}

const NONE: Line[] = [];
