import { createStore, type StoreApi } from 'zustand';
import type { Headers } from '../../model/headers';
import { advance } from '../../model/playback';

export interface PlayheadState {
  /** The event that the playhead is at: what is shown is the state after it. Moves every frame while playing. */
  seq: number;
  /** The same for React: at most eight times a second while it moves. */
  shown: number;
  /** Pinned to the newest event. */
  live: boolean;
  playing: boolean;
  speed: number;
  /** The list scrolls along. Ends as soon as a person scrolls. */
  follow: boolean;
  /** The newest event when the list stopped scrolling along; what came since is told of, not scrolled to. */
  parkedAt: number;
}

export interface Playhead {
  store: StoreApi<PlayheadState>;
  seek: (seq: number) => void;
  /** As `seek`, for many places in a row: React hears of them less often. */
  glide: (seq: number) => void;
  goLive: () => void;
  play: () => void;
  pause: () => void;
  setSpeed: (speed: number) => void;
  setFollow: (follow: boolean) => void;
  destroy: () => void;
}

export interface Frames {
  request: (callback: (now: number) => void) => number;
  cancel: (handle: number) => void;
}

const REACT_MS = 125;
/** A tab that slept does not leap: one frame never counts for more than this. */
const LONGEST_FRAME = 250;
const WINDOW_FRAMES: Frames = { request: (callback) => requestAnimationFrame(callback), cancel: (handle) => cancelAnimationFrame(handle) };

/**
 * The playhead of one session. It lives outside React: who draws it every frame subscribes to the store,
 * components read `shown`. `at` is where to start, null for the end.
 */
export function createPlayhead(headers: Headers, at: number | null, frames: Frames = WINDOW_FRAMES): Playhead {
  const store = createStore<PlayheadState>(() => ({ seq: at ?? 0, shown: at ?? 0, live: at === null, playing: false, speed: 1, follow: true, parkedAt: 0 }));
  let spent = 0;
  let frame = 0;
  let lastFrame = 0;
  let lastDue = 0;
  let lastShown = -REACT_MS;
  let late: ReturnType<typeof setTimeout> | undefined;
  /** A place that was asked for before its event was there. */
  let wanted = at;

  const clamp = (seq: number) => Math.min(headers.last, Math.max(headers.first, seq));

  function settle(seq: number, extra: Partial<PlayheadState> = {}): void {
    clearTimeout(late);
    store.setState({ seq, shown: seq, ...extra });
    // Counted from when React is done, so that a slow machine has time for the hand between two drawings.
    lastShown = performance.now();
    setTimeout(() => {
      lastShown = performance.now();
    });
  }

  /** For a hand that drags: the line moves with it, React hears at most eight times a second, and of the last place. */
  function glide(seq: number): void {
    clearTimeout(late);
    if (performance.now() - lastShown >= REACT_MS) settle(seq, { live: false });
    else {
      store.setState({ seq, live: false });
      late = setTimeout(() => settle(store.getState().seq), REACT_MS);
    }
  }

  function onHeaders(): void {
    if (headers.count === 0) return;
    const { live, seq } = store.getState();
    if (live) settle(headers.last);
    else if (wanted !== null && headers.has(wanted)) {
      settle(wanted);
      wanted = null;
    } else if (!headers.has(seq)) settle(clamp(seq));
  }

  function tick(now: number): void {
    const state = store.getState();
    if (!state.playing) return;
    const elapsed = Math.min(LONGEST_FRAME, now - lastFrame);
    lastFrame = now;
    const next = advance(headers, { seq: state.seq, spent }, elapsed, state.speed);
    spent = next.spent;
    if (next.seq === headers.last) {
      settle(next.seq, { playing: false, live: true });
      return;
    }
    if (next.seq !== state.seq) {
      const due = now - lastDue >= REACT_MS;
      if (due) lastDue = now;
      store.setState(due ? { seq: next.seq, shown: next.seq } : { seq: next.seq });
    }
    frame = frames.request(tick);
  }

  function pause(): void {
    frames.cancel(frame);
    const { seq } = store.getState();
    settle(seq, { playing: false });
  }

  function play(): void {
    const { seq, playing } = store.getState();
    if (playing || headers.count === 0) return;
    spent = 0;
    settle(seq >= headers.last ? headers.first : seq, { playing: true, live: false, follow: true });
    frame = frames.request((now) => {
      lastFrame = now;
      lastDue = now;
      tick(now);
    });
  }

  const stop = headers.subscribe(onHeaders);
  onHeaders();
  return {
    store,
    seek(seq) {
      spent = 0;
      wanted = headers.has(seq) ? null : seq;
      settle(headers.count === 0 ? seq : clamp(seq), { live: false });
    },
    glide: (seq) => glide(clamp(seq)),
    goLive() {
      frames.cancel(frame);
      settle(headers.last, { live: true, playing: false, follow: true });
    },
    play,
    pause,
    setSpeed: (speed) => store.setState({ speed }),
    setFollow(follow) {
      if (follow !== store.getState().follow) store.setState({ follow, parkedAt: headers.last });
    },
    destroy() {
      frames.cancel(frame);
      clearTimeout(late);
      stop();
    },
  };
}
