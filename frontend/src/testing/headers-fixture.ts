import type { HeadColumns, HeadRow } from '../api/types';

const START = Date.parse('2026-11-30T10:00:00Z');
const COLUMNS: (keyof HeadRow)[] = [
  'seq', 'type', 'ts', 'scope', 'cause', 'label', 'tool', 'status', 'ms', 'tokens_in', 'tokens_out', 'cost', 'error', 'session',
];

/** Writes headers as a session would: each event gets the next seq and a time after the one before. */
export class Script {
  readonly rows: HeadRow[] = [];
  private clock = START;

  add(type: string, extra: Partial<HeadRow> = {}, wait = 50): number {
    this.clock += wait;
    const seq = this.rows.length + 1;
    this.rows.push({
      seq,
      type,
      ts: new Date(this.clock).toISOString(),
      scope: null,
      cause: null,
      label: '',
      tool: null,
      status: null,
      ms: null,
      tokens_in: null,
      tokens_out: null,
      cost: null,
      error: false,
      session: 'sess_1',
      ...extra,
    });
    return seq;
  }

  model(scope: string, label: string, tokens: number, cost: string | null = '0.0012', source = 'live'): number {
    const request = this.add('llm_request', { scope, label: 'demo-model', status: '3 messages' });
    this.add('llm_response', { scope, cause: request, label, status: source, ms: 900, tokens_in: tokens, tokens_out: 40, cost }, 900);
    return request;
  }

  tool(scope: string, tool: string, ok = true): number {
    const call = this.add('tool_call', { scope, tool, label: 'order=A-1' });
    this.add('tool_result', { scope, cause: call, tool, label: ok ? 'found' : 'timeout', status: 'live', ms: 120, error: !ok }, 120);
    return call;
  }

  columns(): HeadColumns {
    const data = Object.fromEntries(COLUMNS.map((name) => [name, this.rows.map((row) => row[name])]));
    return { columns: COLUMNS, data, head_seq: this.rows.length, next: null };
  }
}

/** A refund that a person approves after a while, then a second question. */
export function refundScript(): Script {
  const script = new Script();
  script.add('session_start', { label: 'refund-desk v1' });
  script.add('user_message', { label: 'Please refund order A-1' });
  script.model('agent:refund-desk/0', '→ lookup_order', 1200);
  script.tool('agent:refund-desk/0', 'lookup_order');
  script.add('step_end', { scope: 'agent:refund-desk/0' });
  script.model('agent:refund-desk/1', '→ issue_refund', 1400, null);
  const interrupt = script.add('interrupt', { scope: 'agent:refund-desk/1', tool: 'issue_refund', label: 'Refunds 48.00', status: 'approval' });
  const decision = script.add('decision', { cause: interrupt, label: 'Ana', status: 'approve' }, 95_000);
  const call = script.add('tool_call', { scope: 'agent:refund-desk/1', cause: decision, tool: 'issue_refund', label: 'amount=48', status: 'effectful' });
  script.add('tool_result', { scope: 'agent:refund-desk/1', cause: call, tool: 'issue_refund', label: 'done', status: 'live', ms: 300 }, 300);
  script.add('step_end', { scope: 'agent:refund-desk/1' });
  script.model('agent:refund-desk/2', 'Your refund is on its way.', 1500, '0.0015', 'cache');
  script.add('step_end', { scope: 'agent:refund-desk/2' });
  script.add('session_end', { label: 'Your refund is on its way.', status: 'finished' });
  return script;
}

/** A long session of about `events` events: model, one or two tools, now and then an error, a question, a guard. */
export function longScript(events: number): Script {
  const script = new Script();
  script.add('session_start', { label: 'sweep v7' });
  script.add('user_message', { label: 'Sweep the tickets of yesterday' });
  for (let step = 0; script.rows.length < events; step += 1) {
    const scope = `agent:sweep/${step}`;
    script.model(scope, `Plan next step for ticket ${4000 + step}`, 800 + (step % 60) * 160);
    script.tool(scope, step % 3 === 0 ? 'web_search' : 'read_file', step % 97 !== 5);
    if (step % 4 === 0) script.tool(scope, 'read_file');
    if (step % 150 === 20) {
      const interrupt = script.add('interrupt', { scope, tool: 'send_email', label: 'Sends one e-mail', status: 'approval' });
      script.add('decision', { cause: interrupt, label: 'Ana', status: step % 300 === 20 ? 'approve' : 'reject' }, 40_000);
    }
    if (step % 211 === 7) script.add('guardrail', { scope, label: 'injection: instruction', status: 'block', error: true });
    script.add('step_end', { scope });
  }
  script.add('session_end', { label: 'Done', status: 'finished' });
  return script;
}
