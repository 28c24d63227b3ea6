/** The shapes of the HTTP and socket contract (docs/protocol.md). `null` always means "not known", never zero. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type JsonSchema = JsonObject;

export type SessionStatus =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'finished'
  | 'limit'
  | 'cancelled'
  | 'failed';
export type WaitingFor = 'person' | 'time' | 'budget';
export type Role = 'viewer' | 'operator' | 'approver' | 'editor' | 'admin';
export type Ability = 'operate' | 'approve' | 'edit' | 'admin' | 'reveal';

export interface Page<T> {
  items: T[];
  next: string | null;
}

export interface Me {
  id: string;
  kind: string;
  email: string;
  name: string;
  role: Role;
  workspace: { id: string; name: string };
  csrf: string;
  can: Record<Ability, boolean>;
}

export interface User {
  id: string;
  email: string;
  name: string;
  role: Role;
  active: boolean;
  last_login: string | null;
}

export interface Actor {
  kind: 'user' | 'api_key' | 'system' | 'share';
  id: string;
  name: string;
}

export interface Usage {
  input: number | null;
  output: number | null;
  cached: number | null;
  reasoning: number | null;
}

export interface AgentTool {
  name: string;
  description: string;
  schema?: JsonSchema;
  effectful: boolean;
  idempotent: boolean;
  /** `when`: it depends on the arguments. */
  approval: boolean | 'when';
  required_role: Role;
  consequence: string | null;
}

export interface Agent {
  slug: string;
  name: string;
  description: string;
  version: number;
  strategy: string;
  model: string;
  instructions?: string;
  tools: AgentTool[];
  middleware: ({ use: string } & JsonObject)[];
  limits: { max_steps: number };
  samples: string[];
  models: { name: string; default: boolean; costs: boolean }[];
  versions?: { version: number; digest: string; created_at: string }[];
  sessions: { running: number; total: number };
}

export interface Session {
  id: string;
  root: string;
  parent: string | null;
  fork_seq: number | null;
  agent: { slug: string; name: string };
  version: number;
  model: string;
  title: string;
  tags: string[];
  status: SessionStatus;
  waiting_for: WaitingFor | null;
  lost: boolean;
  due_at: string | null;
  head_seq: number;
  run: number;
  usage: Usage;
  cost: string | null;
  started_at: string;
  updated_at: string;
  ended_at: string | null;
  outcome: string | null;
  answer: string | null;
  pending: number;
  /** `seq`: the event that says so, when the server names it. */
  error: { code: string; message: string; seq?: number } | null;
  last: { seq: number; event_type: string; label: string } | null;
  /** A record made elsewhere: it is read, replayed and branched, and never runs on itself. */
  imported: boolean;
}

export interface LogEvent {
  schema_version: number;
  session_id: string;
  seq: number;
  event_type: string;
  ts: string;
  scope: string | null;
  cause: number | null;
  hash: string;
  /** `null` when the event was asked for without its body. */
  payload: JsonObject | null;
  sealed?: [string, number, number, string][];
  edited?: { by: Actor; of: number };
  head?: HeadRow;
}

/** One line of a list of events: what can be said without reading the body. */
export interface HeadRow {
  seq: number;
  type: string;
  ts: string;
  scope: string | null;
  cause: number | null;
  label: string;
  tool: string | null;
  status: string | null;
  ms: number | null;
  tokens_in: number | null;
  tokens_out: number | null;
  cost: string | null;
  error: boolean;
  session: string;
}

export interface HeadColumns {
  columns: string[];
  data: Record<string, (string | number | boolean | null)[]>;
  head_seq: number;
  next: number | null;
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | Json | null;
  tool_calls?: { id?: string; name: string; arguments: Json; provider_id?: string; raw?: string }[];
  tool_call_id?: string;
  name?: string;
  items?: Json[];
}

export interface PromptMessage {
  message: Message;
  origin: { seq: number; i?: number } | null;
  digest: string;
  chars: number;
}

export interface Prompt {
  seq: number;
  model: string;
  params: JsonObject;
  tools: JsonObject[];
  messages: PromptMessage[];
  digest: string;
  fingerprint: string;
  previous: number | null;
  attempts: { n: number; reason: string; model: string }[];
}

export interface Interrupt {
  id: string;
  session: { id: string; title: string; agent: { slug: string; name: string } | string };
  seq: number;
  kind: 'approval' | 'question' | 'in_doubt' | 'budget' | 'retries' | 'guard' | 'version';
  address: string;
  parents: { address: string; info: Json }[];
  tool: string | null;
  call_id: string | null;
  arguments: JsonObject | null;
  digest: string;
  info: Json;
  consequence: string | null;
  allowed: string[];
  schema: JsonSchema | null;
  required_role: Role;
  expires_at: string | null;
  on_expiry: string | null;
  status: 'pending' | 'decided' | 'expired' | 'cancelled';
  decision: { decision: string; arguments?: JsonObject | null; message?: string | null; value?: Json } | null;
  decided_by: { id: string; name: string } | null;
  decided_at: string | null;
  created_at: string;
  can_decide: boolean;
}

export interface Decision {
  decision: string;
  digest: string;
  arguments?: JsonObject;
  message?: string;
  value?: Json;
}

export type EffectPolicy = 'recorded' | 'ask' | 'live' | 'stub';

export interface BranchRequest {
  at: number;
  replace?: { event_type: string; payload: JsonObject };
  overrides?: { model?: string; instructions?: string; params?: JsonObject; version?: number };
  effects?: Record<string, EffectPolicy>;
  title?: string;
  why?: string;
}

export interface NewSession {
  agent: string;
  version?: number;
  input: string;
  title?: string;
  tags?: string[];
  limits?: JsonObject;
  overrides?: { model?: string; params?: JsonObject };
}

export interface CompareRow {
  relation: 'same' | 'wording' | 'different' | 'only_a' | 'only_b';
  a: HeadRow | null;
  b: HeadRow | null;
}

export interface CompareTotals {
  events: number;
  model_calls: number;
  tool_calls: number;
  input: number | null;
  output: number | null;
  cost: string | null;
  ms: number | null;
}

export interface Comparison {
  a: Session;
  b: Session;
  shared: number;
  fork: { seq: number; edited: boolean; overrides: JsonObject | null } | null;
  first_divergence: { row: number; kind: 'action' | 'wording' } | null;
  rows: CompareRow[];
  /** What each side took after the fork. */
  totals: { a: CompareTotals; b: CompareTotals };
}

export interface Verdict {
  chain: { ok: boolean; checked: number; head_hash: string; error?: string };
  derivation: {
    verdict: 'ok' | 'diverged' | 'not_comparable' | 'not_checked';
    events: number;
    complete: boolean;
    divergence?: {
      seq: number;
      event_type: string;
      scope: string | null;
      field: string | null;
      expected: Json;
      found: Json;
      message: string;
    };
  };
  snapshots: { ok: boolean; checked: number; error?: string };
}

export interface ShareRequest {
  from?: number;
  to?: number;
  expires_in?: number;
  show?: { arguments?: boolean; results?: boolean; prompts?: boolean; cost?: boolean };
  title?: string;
}

export interface SharePreview {
  events: number;
  total: number;
  masked: Record<string, number>;
}

export interface Share {
  id: string;
  url: string;
  token?: string;
  expires_at: string | null;
  title?: string;
  from?: number;
  to?: number;
  views?: number;
  created_at?: string;
  revoked_at?: string | null;
}

export interface SharedReplay extends HeadColumns {
  title: string;
  agent: { slug: string; name: string };
  status: SessionStatus;
  range: { from: number; to: number };
  total: number;
  snapshot_at: string;
  expires_at: string | null;
  masked: Record<string, number>;
  /** What verifying the original said when the link was made. */
  verdict: (Verdict & { at: string }) | null;
  head_hash: string;
  events: LogEvent[];
}

export interface EventPage {
  items: LogEvent[];
  next: number | null;
  head_seq: number;
}

export type SessionFrame =
  | { type: 'events'; events: LogEvent[] }
  | { type: 'delta'; request: number; attempt: number; part: string; at: number; text: string }
  | { type: 'head'; seq: number; status: SessionStatus; waiting_for: WaitingFor | null }
  | { type: 'reset'; after: number };

export type WorkspaceFrame =
  | { type: 'session'; session: Session }
  | { type: 'interrupt'; interrupt: Interrupt }
  | { type: 'count'; pending_for_me: number };
