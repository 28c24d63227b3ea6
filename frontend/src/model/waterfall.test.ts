import { describe, expect, it } from 'vitest';
import { longScript, Script } from '../testing/headers-fixture';
import { matches, parseFilter } from './filter';
import { Headers } from './headers';
import { RowIndex } from './rows';
import { isSlow, slowIn } from './slow';
import { timeScale } from './time-scale';
import { visibleLines } from './visible';
import { spanOf, windowOf } from './waterfall';

function index(script: Script) {
  const headers = new Headers();
  headers.addColumns(script.columns());
  const rows = new RowIndex(headers);
  rows.extend();
  const lines = visibleLines(headers, rows.rows, new Set(), () => true);
  return { headers, rows: rows.rows, lines, start: headers.ts[0] ?? 0 };
}

/** A model call of 900 ms, then a sub-agent with a call of its own. */
function nested(): Script {
  const script = new Script();
  const child = 'agent:root/0;tool:ask:c1.0;agent:child';
  script.model('agent:root/0', '→ ask', 100);
  const call = script.add('tool_call', { scope: 'agent:root/0', tool: 'ask' });
  const started = script.add('child_start', { scope: child, cause: call });
  script.model(`${child}/0`, 'done', 100);
  script.add('child_end', { scope: child, cause: started });
  script.add('tool_result', { scope: 'agent:root/0', cause: call, tool: 'ask', ms: 1050 });
  return script;
}

describe('a row on the time axis', () => {
  it('lasts from its first event to its answer, a sub-agent until it ends', () => {
    const { headers, rows, start } = index(nested());
    const spans = rows.map((row) => [row.type, spanOf(headers, row, 0).from - start, spanOf(headers, row, 0).to - start]);
    expect(spans).toEqual([
      ['llm_request', 0, 900],
      ['tool_call', 950, 2050],
      ['child_start', 1000, 2000],
      ['llm_request', 1050, 1950],
    ]);
    expect(rows.find((row) => row.type === 'child_start')?.ms).toBe(1000);
  });

  it('lasts until now while it is open', () => {
    const script = new Script();
    script.add('llm_request', { label: 'm' });
    const { headers, rows, start } = index(script);
    expect(spanOf(headers, rows[0]!, start + 4000)).toEqual({ from: start, to: start + 4000 });
    const asked = new Script();
    asked.add('interrupt', { tool: 'pay', status: 'approval' });
    const waiting = index(asked);
    expect(windowOf(waiting.headers, waiting.lines, waiting.start + 3_600_000)).toEqual({ from: waiting.start, to: waiting.start + 1 });
  });
});

describe('the window', () => {
  it('spans the lines on screen, and is not stretched by a sub-agent that goes on below', () => {
    const { headers, lines, start } = index(nested());
    const now = start + 60_000;
    expect(windowOf(headers, lines, now)).toEqual({ from: start, to: start + 1950 });
    expect(windowOf(headers, lines.slice(0, 3), now)).toEqual({ from: start, to: start + 1000 });
    expect(windowOf(headers, [], now)).toEqual({ from: now, to: now + 1 });
  });

  it('gives the calls of any screen of a long session bars that can be seen', () => {
    const { headers, lines } = index(longScript(10_000));
    const track = 360;
    for (let top = 0; top + 30 < lines.length; top += 997) {
      const shown = lines.slice(top, top + 30);
      const idle = shown.flatMap((line) => (line.kind === 'gap' ? [{ from: headers.ts[line.after - 1]!, to: headers.ts[line.before - 1]! }] : []));
      const scale = timeScale(windowOf(headers, shown, 0), idle, 0);
      const widths = shown.flatMap((line) => {
        if (line.kind === 'gap' || line.row.type !== 'llm_request') return [];
        const { from, to } = spanOf(headers, line.row, 0);
        return [(scale.place(to) - scale.place(from)) * track];
      });
      expect(Math.min(...widths), `from line ${top}`).toBeGreaterThan(3);
    }
  });
});

describe('the time axis', () => {
  it('draws work to scale and folds what was idle', () => {
    const scale = timeScale({ from: 1000, to: 101_000 }, [{ from: 2000, to: 100_000 }], 1000);
    expect(scale.idle).toEqual([{ left: 0.475, width: 0.05 }]);
    expect([1000, 1500, 2000, 51_000, 100_000, 100_500, 101_000].map(scale.place)).toEqual([0, 0.2375, 0.475, 0.5, 0.525, 0.7625, 1]);
    expect(scale.place(0)).toBe(0);
    expect(scale.place(1e9)).toBe(1);
  });

  it('has round ticks from the beginning of the session, none in idle time and none too close', () => {
    const scale = timeScale({ from: 3200, to: 13_200 }, [], 0);
    expect(scale.ticks.map(({ ms }) => ms)).toEqual([4000, 6000, 8000, 10_000, 12_000]);
    const folded = timeScale({ from: 0, to: 7_200_000 + 2000 }, [{ from: 1000, to: 7_201_000 }], 0);
    expect(folded.ticks.length).toBeLessThan(8);
    for (const { ms } of folded.ticks) expect(ms <= 1000 || ms >= 7_201_000).toBe(true);
  });
});

describe('what is slow', () => {
  it('takes a second at least and twice as long as is usual here', () => {
    const script = new Script();
    for (const ms of [200, 300, 2500, 900]) {
      const call = script.add('tool_call', { tool: 'look' });
      script.add('tool_result', { cause: call, tool: 'look', ms });
    }
    script.model('agent:a/0', 'x', 1);
    const { rows } = index(script);
    const slow = slowIn(rows);
    expect(rows.filter((row) => isSlow(row, slow)).map((row) => row.ms)).toEqual([2500]);
    expect(rows.filter((row) => matches(parseFilter('is:slow'), row, slow))).toHaveLength(1);
  });
});
