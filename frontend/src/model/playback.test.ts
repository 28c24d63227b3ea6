import { describe, expect, it } from 'vitest';
import { longScript, refundScript } from '../testing/headers-fixture';
import { Headers } from './headers';
import { binHeaders, columnOf, seqAt } from './overview';
import { advance, jump, markerOf, MARKERS, stepDelay } from './playback';

function load(script = refundScript()): Headers {
  const headers = new Headers();
  headers.addColumns(script.columns());
  return headers;
}

const seqOf = (type: string) => refundScript().rows.findIndex((row) => row.type === type) + 1;

describe('playing', () => {
  it('shows short steps long enough and long waits short', () => {
    const headers = load();
    expect(stepDelay(headers, 1, 1)).toBe(120);
    expect(stepDelay(headers, 3, 1)).toBe(900);
    expect(stepDelay(headers, seqOf('interrupt'), 1)).toBe(2000);
    expect(stepDelay(headers, seqOf('interrupt'), 4)).toBe(500);
  });

  it('goes as far as the time allows, and stays on the last event', () => {
    const headers = load();
    expect(advance(headers, { seq: 1, spent: 0 }, 100, 1)).toEqual({ seq: 1, spent: 100 });
    expect(advance(headers, { seq: 1, spent: 100 }, 30, 1)).toEqual({ seq: 2, spent: 10 });
    expect(advance(headers, { seq: 1, spent: 0 }, 1e9, 16)).toEqual({ seq: headers.last, spent: 0 });
  });
});

describe('jumping', () => {
  it('finds the next and the previous of a sort', () => {
    const headers = load();
    expect(jump(headers, 1, 'interrupt')).toBe(seqOf('interrupt'));
    expect(jump(headers, 1, 'error')).toBeNull();
    expect(jump(headers, headers.last, 'tool', -1)).toBe(refundScript().rows.findLastIndex((row) => row.type === 'tool_call') + 1);
    expect(jump(headers, 3, 'turn')).toBe(8);
  });
});

describe('the overview', () => {
  it('keeps the worst marker of each column', () => {
    const headers = load(longScript(10_000));
    const bins = binHeaders(headers, 100);
    const errors = Array.from({ length: headers.count }, (_, i) => i).filter((i) => markerOf(headers, i) === 'error');
    for (const i of errors) expect(bins.marker[columnOf(headers, headers.first + i, 100)]).toBe(MARKERS.indexOf('error'));
    expect(new Set(bins.marker)).toContain(-1);
  });

  it('shows how the prompt grew, relative to the largest', () => {
    const bins = binHeaders(load(), 14);
    const known = [...bins.context].filter((value) => !Number.isNaN(value));
    expect(known.at(-1)).toBe(1);
    expect(known[0]).toBeCloseTo(1200 / 1500);
    expect(bins.context[0]).toBeNaN();
  });

  it('maps a click to an event and back', () => {
    const headers = load(longScript(5000));
    for (const share of [0, 0.25, 0.5, 0.999]) {
      const seq = seqAt(headers, share);
      expect(columnOf(headers, seq, 1000)).toBeGreaterThanOrEqual(Math.floor(share * 1000) - 1);
      expect(headers.has(seq)).toBe(true);
    }
    expect(seqAt(headers, 1.2)).toBe(headers.last);
  });
});
