import { describe, expect, it } from 'vitest';
import { Headers } from '../../model/headers';
import { refundScript } from '../../testing/headers-fixture';
import { createPlayhead, type Frames } from './playhead';

const rows = refundScript().rows;

function fakeFrames() {
  let now = 0;
  let next: ((now: number) => void) | null = null;
  const frames: Frames = {
    request: (callback) => {
      next = callback;
      return 1;
    },
    cancel: () => {
      next = null;
    },
  };
  const run = (ms: number) => {
    for (const end = now + ms; now < end && next; ) {
      now += 16;
      const callback = next;
      next = null;
      callback(now);
    }
  };
  return { frames, run, idle: () => next === null };
}

function set(count: number, at: number | null = null) {
  const headers = new Headers();
  headers.addRows(rows.slice(0, count));
  const clock = fakeFrames();
  const playhead = createPlayhead(headers, at, clock.frames);
  return { headers, playhead, clock, now: () => playhead.store.getState() };
}

describe('the playhead', () => {
  it('is pinned to the end until it is moved, and then stays', () => {
    const { headers, playhead, now } = set(5);
    headers.addRows(rows.slice(5, 8));
    expect(now()).toMatchObject({ seq: 8, live: true });
    playhead.seek(3);
    headers.addRows(rows.slice(8, 10));
    expect(now()).toMatchObject({ seq: 3, live: false });
    playhead.goLive();
    expect(now()).toMatchObject({ seq: 10, live: true });
  });

  it('waits for the event that a link names, and takes the nearest when there is none', () => {
    const { headers, now } = set(0, 7);
    headers.addRows(rows.slice(0, 5));
    expect(now().seq).toBe(5);
    headers.addRows(rows.slice(5, 9));
    expect(now()).toMatchObject({ seq: 7, live: false });
  });

  it('plays from where it is to the end and is live there', () => {
    const { headers, playhead, clock, now } = set(rows.length, 3);
    playhead.play();
    clock.run(800);
    expect(now()).toMatchObject({ seq: 3, playing: true });
    clock.run(400);
    expect(now().seq).toBeGreaterThan(3);
    clock.run(60_000);
    expect(now()).toMatchObject({ seq: headers.last, playing: false, live: true });
    expect(clock.idle()).toBe(true);
  });

  it('starts from the beginning when it plays at the end', () => {
    const { playhead, now } = set(6);
    playhead.play();
    expect(now()).toMatchObject({ seq: 1, playing: true, live: false });
  });

  it('keeps playing when it is moved, and stops only when it is paused', () => {
    const { playhead, clock, now } = set(rows.length, 1);
    playhead.play();
    playhead.seek(8);
    clock.run(200);
    expect(now()).toMatchObject({ playing: true });
    expect(now().seq).toBeGreaterThanOrEqual(8);
    playhead.pause();
    const { seq } = now();
    clock.run(5000);
    expect(now()).toMatchObject({ playing: false, seq, shown: seq });
  });

  it('tells React less often than it moves', () => {
    const { playhead, clock } = set(rows.length, 1);
    let frames = 0;
    const shown = new Set<number>();
    playhead.store.subscribe((state) => {
      frames += 1;
      shown.add(state.shown);
    });
    playhead.setSpeed(16);
    playhead.play();
    clock.run(180);
    expect(shown.size).toBeLessThan(frames);
  });
});
