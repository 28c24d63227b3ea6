import { describe, expect, it } from 'vitest';
import { bestOf } from '../testing/best-of';
import { longScript, refundScript } from '../testing/headers-fixture';
import { Headers, totalsAt } from './headers';

function load(script = refundScript()): Headers {
  const headers = new Headers();
  headers.addColumns(script.columns());
  return headers;
}

describe('Headers', () => {
  it('decodes columns into typed arrays, unknown as NaN', () => {
    const headers = load();
    expect(headers.last).toBe(refundScript().rows.length);
    expect(headers.types.slice(0, 3)).toEqual(['session_start', 'user_message', 'llm_request']);
    expect(headers.tokensIn[headers.at(4)]).toBe(1200);
    expect(headers.tokensIn[headers.at(3)]).toBeNaN();
    expect(headers.cause[headers.at(4)]).toBe(3);
  });

  it('takes an event once, in order, and says when one is missing', () => {
    const rows = refundScript().rows;
    const headers = new Headers();
    expect(headers.addRows(rows.slice(0, 4))).toBe(true);
    expect(headers.addRows(rows.slice(2, 6))).toBe(true);
    expect(headers.count).toBe(6);
    expect(headers.addRows(rows.slice(8))).toBe(false);
    expect(headers.count).toBe(6);
  });

  it('may begin anywhere, for a shared range', () => {
    const headers = new Headers();
    headers.addRows(refundScript().rows.slice(4, 8));
    expect([headers.first, headers.last, headers.type(5)]).toEqual([5, 8, refundScript().rows[4]?.type]);
    expect(headers.has(4)).toBe(false);
  });

  it('grows beyond its first room and tells its listeners', () => {
    const headers = new Headers();
    let told = 0;
    headers.subscribe(() => (told += 1));
    headers.addColumns(longScript(5000).columns());
    expect(headers.count).toBeGreaterThanOrEqual(5000);
    expect(headers.ts[headers.count - 1]).toBeGreaterThan(headers.ts[0] ?? 0);
    expect(told).toBe(1);
  });

  it('decodes 10,000 events within 50 ms', () => {
    const columns = longScript(10_000).columns();
    const best = bestOf(7, () => {
      const headers = new Headers();
      headers.addColumns(columns);
      expect(headers.count).toBeGreaterThanOrEqual(10_000);
    });
    expect(best).toBeLessThan(50);
  });
});

describe('totalsAt', () => {
  it('counts for a branch what is its own: the status stands, what it only read cost nothing', () => {
    const headers = load();
    const own = totalsAt(headers, 4, 4);
    expect(own).toMatchObject({ status: 'running', tokensIn: 1200, elapsed: 0 });
    expect(totalsAt(headers, 6, 5)).toMatchObject({ tokensIn: null, cost: null, costPartial: false });
    expect(totalsAt(headers, 6, 5).elapsed).toBe((headers.ts[5] ?? 0) - (headers.ts[4] ?? 0));
  });

  it('is the state as of the playhead, not of the end', () => {
    const headers = load();
    expect(totalsAt(headers, 2)).toMatchObject({ status: 'queued', tokensIn: null, cost: null });
    expect(totalsAt(headers, 4)).toMatchObject({ status: 'running', tokensIn: 1200, tokensOut: 40, cost: 0.0012, costPartial: false });
    const asked = refundScript().rows.findIndex((row) => row.type === 'interrupt') + 1;
    expect(totalsAt(headers, asked).status).toBe('waiting');
    expect(totalsAt(headers, asked + 1).status).toBe('queued');
    expect(totalsAt(headers, headers.last).status).toBe('finished');
  });

  it('says that a sum is a lower bound when a price is not known', () => {
    const { cost, costPartial } = totalsAt(load(), 100);
    expect(cost).toBeCloseTo(0.0027);
    expect(costPartial).toBe(true);
  });
});
