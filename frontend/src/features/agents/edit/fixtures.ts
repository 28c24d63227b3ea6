import type { Agent, AgentParts, AgentVersion, AgentVersionWhole, JsonObject } from '../../../api/types';

export const parts: AgentParts = {
  strategies: [
    { name: 'function-calling', summary: 'The model calls tools.', options: { type: 'object', properties: {} }, source: 'built in' },
    { name: 'reflection', summary: 'Draft, criticise, refine.', options: { type: 'object', properties: { rounds: { type: 'integer', default: 3, description: 'how often' } } }, source: 'built in' },
  ],
  middleware: [
    { name: 'logging', summary: 'Writes lines.', options: { type: 'object', properties: { level: { enum: ['info', 'debug'], default: 'info' } } }, source: 'built in' },
    { name: 'guardrail', summary: 'Stops what must not pass.', options: { type: 'object', properties: { words: { type: 'array', items: { type: 'string' } }, stages: { type: 'array', items: { type: 'string', enum: ['input', 'output'] }, default: ['input'] } } }, source: 'built in' },
  ],
  tools: [
    { name: 'lookup_order', description: 'Looks an order up.', schema: {}, effectful: false, idempotent: false, approval: false, required_role: 'approver', source: 'agent:refund-desk' },
    { name: 'issue_refund', description: 'Pays money back.', schema: {}, effectful: true, idempotent: false, approval: true, required_role: 'approver', source: 'agent:refund-desk' },
  ],
  models: [{ name: 'scripted:refund-desk', provider: 'scripted', paid: false, default: true }],
  agents: [{ slug: 'researcher', name: 'Researcher', version: 1 }],
  limits: { type: 'object', properties: { max_steps: { type: 'integer', default: 10 } } },
  problems: [],
};

export const definition: JsonObject = {
  slug: 'desk',
  name: 'Desk',
  model: 'scripted:refund-desk',
  strategy: 'function-calling',
  instructions: 'Be kind.',
  tools: [{ name: 'lookup_order' }],
  middleware: [{ use: 'logging' }, { use: 'guardrail' }],
};

const version = (number: number, more: Partial<AgentVersion> = {}): AgentVersion => ({
  version: number, note: '', digest: `sha256:${number}`, by: 'Ana', created_at: '2026-11-30T10:00:00Z', published: number === 1, sessions: 0, ...more,
});

export const versions: AgentVersion[] = [version(2, { note: 'Kinder' }), version(1)];

export const whole = (number: number): AgentVersionWhole => ({ ...version(number), definition });

export const agent = {
  slug: 'desk', name: 'Desk', description: '', version: 1, strategy: 'function-calling', model: 'scripted:refund-desk', tools: [], middleware: [],
  limits: { max_steps: 10 }, samples: [], models: [], sessions: { running: 2, total: 5 }, origin: 'console', published: 1, newest: 2,
} satisfies Partial<Agent>;
