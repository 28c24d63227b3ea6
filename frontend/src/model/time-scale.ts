/** A stretch of time in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** A place on the axis, 0…1 of its width. */
export interface Share {
  left: number;
  width: number;
}

export interface Tick {
  at: number;
  /** Milliseconds since the beginning of the session. */
  ms: number;
}

export interface TimeScale extends Span {
  /** Where a time stands, 0…1; what lies outside stands at the edge. */
  place: (time: number) => number;
  /** Where nothing ran: narrow, whatever it lasted. */
  idle: Share[];
  ticks: Tick[];
}

/** An idle stretch gets so much of the axis, all of them together not more than a third. */
const IDLE_SHARE = 0.05;
const ALL_IDLE = 0.33;
/** Ticks are at least so far apart. */
const TICK_ROOM = 0.16;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000];

/** The idle stretches as far as they lie inside, in order. */
function inside(span: Span, idle: readonly Span[]): Span[] {
  return idle.map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) })).filter(({ from, to }) => to > from);
}

function ticksOf(span: Span, origin: number, busy: number, share: number, place: (time: number) => number, idle: readonly Span[]): Tick[] {
  const room = (busy * TICK_ROOM) / Math.max(share, 0.01);
  const hours = Math.ceil(room / 3_600_000) * 3_600_000;
  const step = STEPS.find((each) => each >= room) ?? hours;
  const ticks: Tick[] = [];
  // Over a long idle stretch the ticks are skipped, not counted.
  let ms = Math.ceil((span.from - origin) / step) * step;
  while (origin + ms <= span.to) {
    const time = origin + ms;
    const gap = idle.find(({ from, to }) => time > from && time < to);
    if (gap) {
      ms = Math.ceil((gap.to - origin) / step) * step;
      continue;
    }
    const at = place(time);
    if (at < 0.94 && at - (ticks.at(-1)?.at ?? -1) >= TICK_ROOM * 0.8) ticks.push({ at, ms });
    ms += step;
  }
  return ticks;
}

/** A time axis on which working time is drawn to scale and idle time is folded. `origin`: what the ticks count from. */
export function timeScale(span: Span, allIdle: readonly Span[], origin: number): TimeScale {
  const idle = inside(span, allIdle);
  const idleMs = idle.reduce((sum, { from, to }) => sum + to - from, 0);
  const busy = Math.max(1, span.to - span.from - idleMs);
  const folded = idle.length === 0 ? 0 : Math.min(IDLE_SHARE, ALL_IDLE / idle.length);
  const share = 1 - folded * idle.length;
  const place = (time: number): number => {
    const t = Math.min(span.to, Math.max(span.from, time));
    let at = 0;
    let worked = t - span.from;
    for (const { from, to } of idle) {
      if (t <= from) break;
      const passed = Math.min(t, to) - from;
      worked -= passed;
      at += (passed / (to - from)) * folded;
    }
    return Math.min(1, at + (worked / busy) * share);
  };
  return {
    ...span,
    place,
    idle: idle.map(({ from }) => ({ left: place(from), width: folded })),
    ticks: ticksOf(span, origin, busy, share, place, idle),
  };
}
