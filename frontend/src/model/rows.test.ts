import { describe, expect, it } from 'vitest';
import { bestOf } from '../testing/best-of';
import { longScript, refundScript, Script } from '../testing/headers-fixture';
import { matches, parseFilter } from './filter';
import { Headers } from './headers';
import { activationsOf, type Row, RowIndex } from './rows';
import { linesBegun, startOf, visibleLines } from './visible';

function index(script: Script): { headers: Headers; rows: RowIndex } {
  const headers = new Headers();
  headers.addColumns(script.columns());
  const rows = new RowIndex(headers);
  rows.extend();
  return { headers, rows };
}

const brief = (rows: Row[]) => rows.map((row) => `${row.kind} ${row.name || row.type} ${row.state}`);
const everything = () => true;

describe('RowIndex', () => {
  it('puts what belongs together on one row', () => {
    expect(brief(index(refundScript()).rows.rows)).toEqual([
      'system session_start info',
      'human user_message info',
      'model demo-model ok',
      'tool lookup_order ok',
      'model demo-model ok',
      'human issue_refund ok',
      'tool issue_refund ok',
      'model demo-model ok',
      'system session_end ok',
    ]);
  });

  it('has no call run that has asked, until it is resumed', () => {
    const script = new Script();
    const call = script.add('tool_call', { scope: 'agent:a/0;tool:ask:c1.0', tool: 'ask' });
    const asked = script.add('interrupt', { scope: 'agent:a/0;tool:ask:c1.0', cause: call, tool: 'ask', status: 'question' });
    expect(index(script).rows.rows.map((row) => row.state)).toEqual(['waiting', 'waiting']);
    script.add('decision', { cause: asked, status: 'respond' });
    script.add('resume', { scope: 'agent:a/0;tool:ask:c1.0', cause: call });
    expect(index(script).rows.rows.map((row) => row.state)).toEqual(['open', 'ok']);
  });

  it('keeps every event reachable', () => {
    const { headers, rows } = index(refundScript());
    const members = rows.rows.flatMap((row) => row.members).toSorted((a, b) => a - b);
    expect(members).toEqual(Array.from({ length: headers.count }, (_, i) => i + 1));
    for (const row of rows.rows) for (const seq of row.members) expect(rows.rowOf(seq)).toBe(row);
  });

  it('hangs tools on the model answer that asked for them', () => {
    const { rows } = index(refundScript());
    const tools = rows.rows.filter((row) => row.kind === 'tool');
    expect(tools.map((row) => [row.parent, row.depth])).toEqual([[3, 1], [8, 1]]);
  });

  it('shows an open request until its answer comes, and replaces the row then', () => {
    const script = refundScript();
    const headers = new Headers();
    const rows = new RowIndex(headers);
    headers.addRows(script.rows.slice(0, 3));
    rows.extend();
    const open = rows.rowOf(3);
    expect(open?.state).toBe('open');
    headers.addRows(script.rows.slice(3, 4));
    expect(rows.extend()).toBe(true);
    expect(rows.rowOf(3)).toMatchObject({ state: 'ok', label: '→ lookup_order', tokensIn: 1200, ms: 900 });
    expect(open?.state).toBe('open');
    expect(rows.extend()).toBe(false);
  });

  it('says cache hits, guard verdicts and decisions in a word', () => {
    const notes = index(refundScript()).rows.rows.map((row) => row.note).filter(Boolean);
    expect(notes).toEqual(['approve', 'cache', 'finished']);
    const script = new Script();
    script.add('guardrail', { label: 'injection', status: 'block', error: true });
    expect(index(script).rows.rows[0]).toMatchObject({ state: 'blocked', note: 'block' });
  });

  it('tells what a middleware asked for itself from the conversation, and hangs no tools on it', () => {
    const script = new Script();
    const scope = 'agent:desk/0';
    const request = script.add('llm_request', { scope, label: 'model' });
    const response = script.add('llm_response', { scope, cause: request, label: '→ lookup_order', status: 'live' });
    const inner = script.add('llm_request', { scope: `${scope};mw:judge`, label: 'small' });
    script.add('llm_response', { scope: `${scope};mw:judge`, cause: inner, label: '{"fine": true}', status: 'live' });
    const call = script.add('tool_call', { scope: `${scope};tool:lookup_order:c2.0`, cause: response, tool: 'lookup_order' });
    const { rows } = index(script);
    expect(rows.rowOf(request)).toMatchObject({ internal: false, state: 'ok' });
    expect(rows.rowOf(inner)).toMatchObject({ internal: true, note: 'internal', state: 'ok' });
    expect(rows.rowOf(call)?.parent).toBe(request);
  });

  it('takes an answer back when a guard says so, and gives it back when a person lets it through', () => {
    const script = new Script();
    const request = script.add('llm_request', { scope: 'agent:desk/0' });
    const response = script.add('llm_response', { scope: 'agent:desk/0', cause: request, label: 'It is ann@example.org.', status: 'live' });
    script.add('guardrail', { scope: 'agent:desk/0;mw:guardrail', cause: response, label: 'guardrail: secret', status: 'ask' });
    expect(index(script).rows.rowOf(request)).toMatchObject({ state: 'blocked', note: 'withdrawn', label: '' });
    script.add('guardrail', { scope: 'agent:desk/0;mw:guardrail', cause: response, label: 'guardrail: secret', status: 'pass' });
    expect(index(script).rows.rowOf(request)).toMatchObject({ state: 'ok', note: null, label: 'It is ann@example.org.' });
  });

  it('shows a refused call as a row of its own', () => {
    const script = new Script();
    const interrupt = script.add('interrupt', { tool: 'issue_refund', status: 'approval' });
    const decision = script.add('decision', { cause: interrupt, status: 'reject' });
    script.add('tool_result', { cause: decision, tool: 'issue_refund', label: 'Rejected by Ana', error: true, status: 'synthetic' });
    expect(brief(index(script).rows.rows)).toEqual(['human issue_refund rejected', 'tool issue_refund failed']);
  });

  it('closes what nobody will answer any more', () => {
    const script = new Script();
    script.add('llm_request', { scope: 'agent:a/0', label: 'm' });
    script.add('lease', { label: 'worker-2' });
    script.add('llm_request', { scope: 'agent:a/0', label: 'm' });
    script.add('interrupt', { scope: 'agent:a/0', tool: 'pay', status: 'approval' });
    script.add('cancel');
    script.add('session_end', { scope: 'agent:a/0', status: 'cancelled' });
    expect(brief(index(script).rows.rows)).toEqual([
      'model m info',
      'system lease info',
      'model m info',
      'human pay info',
      'human cancel info',
      'system session_end info',
    ]);
    expect(index(script).rows.rows.map((row) => row.note)).toEqual(['abandoned', null, 'cancelled', 'cancelled', null, 'cancelled']);
  });

  it('finds the question of a decision that does not name one', () => {
    const script = new Script();
    script.add('interrupt', { tool: 'pay', status: 'approval' });
    script.add('interrupt', { tool: 'send', status: 'approval' });
    script.add('decision', { status: 'approve', label: 'Ana' });
    expect(brief(index(script).rows.rows)).toEqual(['human pay ok', 'human send waiting']);
  });

  it('goes on with a request that failed and was sent again', () => {
    const script = new Script();
    const request = script.add('llm_request', { label: 'm' });
    script.add('llm_error', { cause: request, status: 'rate_limited', error: true });
    script.add('llm_attempt', { cause: request, label: 'retry' });
    expect(index(script).rows.rows[0]?.state).toBe('open');
    script.add('llm_response', { cause: request, label: 'Hello' });
    expect(brief(index(script).rows.rows)).toEqual(['model m ok']);
  });

  it('reads nested activations from the scope', () => {
    expect(activationsOf('agent:root/3;tool:ask:c41.0;agent:child/0')).toEqual(['agent:root', 'agent:child']);
    expect(activationsOf(null)).toEqual([]);
  });

  it('lets a sub-agent start at the level of its caller, and act one level deeper', () => {
    const script = new Script();
    const child = 'agent:root/0;tool:ask:c1.0;agent:child';
    script.model('agent:root/0', '→ ask', 100);
    const call = script.add('tool_call', { scope: 'agent:root/0', tool: 'ask' });
    const started = script.add('child_start', { scope: child, cause: call });
    script.model(`${child}/0`, '→ look', 100);
    script.tool(`${child}/0`, 'look');
    script.add('child_end', { scope: child, cause: started });
    const rows = index(script).rows.rows.map((row) => [row.type, row.depth, row.parent]);
    expect(rows).toEqual([
      ['llm_request', 0, null],
      ['tool_call', 1, 1],
      ['child_start', 1, 1],
      ['llm_request', 2, started],
      ['tool_call', 3, 5],
    ]);
  });

  it('tells two calls of one sub-agent apart', () => {
    const script = new Script();
    for (const call of ['c1.0', 'c1.1']) script.add('llm_request', { scope: `agent:root/0;tool:ask:${call};agent:child/0`, label: 'm' });
    expect(brief(index(script).rows.rows)).toEqual(['model m open', 'model m open']);
  });

  it('calls the end of a pause so', () => {
    const script = new Script();
    script.add('pause', { status: 'True' });
    script.add('pause', { status: 'False' });
    expect(index(script).rows.rows.map((row) => row.word)).toEqual(['pause', 'pause_off']);
  });

  it('calls a question that no tool asks by what it is about, once', () => {
    const script = new Script();
    script.add('interrupt', { label: 'budget', status: 'budget' });
    expect(index(script).rows.rows[0]).toMatchObject({ word: 'interrupt.budget', name: '', label: '' });
  });

  it('does not tell the old consequence of a call that was changed', () => {
    const script = new Script();
    const asked = script.add('interrupt', { tool: 'pay', label: 'Pays 89', status: 'approval' });
    script.add('decision', { cause: asked, label: 'Ana', status: 'edit' });
    expect(index(script).rows.rows[0]).toMatchObject({ label: 'Ana', asked: 'Pays 89', note: 'edit' });
  });

  it('builds 10,000 events within 50 ms', () => {
    const { headers } = index(longScript(10_000));
    expect(bestOf(7, () => new RowIndex(headers).extend())).toBeLessThan(50);
  });

  it('grows by what is new only', () => {
    const script = longScript(1000);
    const { headers, rows } = index(script);
    const before = rows.rows.length;
    const first = rows.rows[5];
    headers.addRows([{ ...script.rows[1]!, seq: headers.last + 1, label: 'once more' }]);
    rows.extend();
    expect(rows.rows).toHaveLength(before + 1);
    expect(rows.rows[5]).toBe(first);
  });
});

describe('visibleLines', () => {
  it('says how long nothing ran, and why', () => {
    const { headers, rows } = index(refundScript());
    const lines = visibleLines(headers, rows.rows, new Set(), everything);
    expect(lines.filter((line) => line.kind === 'gap')).toEqual([
      expect.objectContaining({ reason: 'person', ms: 95_000 }),
    ]);
    expect(lines.map(startOf)).toEqual(lines.map(startOf).toSorted((a, b) => a - b));
  });

  it('hides what is below a closed row, however deep', () => {
    const { headers, rows } = index(refundScript());
    const seqs = visibleLines(headers, rows.rows, new Set([3]), everything).map(startOf);
    expect(seqs).not.toContain(5);
    expect(seqs).toContain(3);
  });

  it('finds the line of the playhead by halving', () => {
    expect([0, 1, 2, 7, 8, 99].map((seq) => linesBegun([1, 2, 8], seq))).toEqual([0, 1, 2, 2, 3, 3]);
  });
});

describe('the filter', () => {
  const { rows } = index(longScript(2000)).rows;
  const count = (text: string) => rows.filter((row) => matches(parseFilter(text), row)).length;

  it('needs every term', () => {
    expect(count('')).toBe(rows.length);
    expect(count('kind:tool name:web')).toBe(rows.filter((row) => row.name === 'web_search').length);
    expect(count('kind:tool, is:error')).toBe(rows.filter((row) => row.kind === 'tool' && row.state === 'failed').length);
    expect(count('ticket 4007')).toBe(1);
    expect(count('type:guardrail')).toBeGreaterThan(0);
    expect(count('is:nonsense')).toBe(0);
  });
});
