import type { Interrupt } from '../../api/types';

/** A question as the server sends it, for tests. */
export const anInterrupt = (over: Partial<Interrupt> = {}): Interrupt => ({
  id: 'int_1',
  session: { id: 'sess_1', title: 'Refund for 4411', agent: { slug: 'refund-desk', name: 'Refund desk' } },
  seq: 12,
  kind: 'approval',
  address: 'agent:refund-desk/2;tool:issue_refund:c11.0',
  parents: [],
  tool: 'issue_refund',
  call_id: 'c11.0',
  arguments: { order_id: '4411', amount_cents: 4800, note: 'late' },
  digest: 'd1:aa',
  info: null,
  consequence: 'Pays $48.00 back for order 4411.',
  allowed: ['approve', 'edit', 'reject', 'respond'],
  schema: {
    type: 'object',
    properties: { order_id: { type: 'string' }, amount_cents: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
    required: ['order_id', 'amount_cents'],
  },
  required_role: 'approver',
  expires_at: null,
  on_expiry: null,
  status: 'pending',
  decision: null,
  decided_by: null,
  decided_at: null,
  created_at: '2026-11-30T10:00:00.000000Z',
  can_decide: true,
  ...over,
});
