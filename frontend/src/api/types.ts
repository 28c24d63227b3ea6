import type { ExactNumber } from '../model/json';
import type { components } from './schema';

/**
 * The shapes of the contract (docs/protocol.md): what the server describes, narrowed where its description is
 * wider than what it says. `null` always means "not known", never zero.
 */
type Schemas = components['schemas'];

/** A shape with some of its members said more exactly. */
type Narrow<Base, Exact> = Omit<Base, keyof Exact> & Exact;

/** A value of a body. Numbers that JavaScript would round are kept by their digits. */
export type Json = null | boolean | number | ExactNumber | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type JsonSchema = JsonObject;

export type SessionStatus = Schemas['SessionView']['status'];
/** `code`: of the agent, which this installation does not have for the moment. */
export type WaitingFor = 'person' | 'time' | 'budget' | 'code';
export type Role = Schemas['Role'];

export interface Page<T> {
  items: T[];
  next: string | null;
}

/** A person, or a key that acts for one. */
export type Me = Narrow<Schemas['Me'], { email: string; role: Role; workspace: Schemas['Workspace'] }>;

export type User = Schemas['User'];

export interface Actor {
  kind: 'user' | 'api_key' | 'system' | 'share';
  id: string;
  name: string;
}

export type AgentTool = Narrow<
  Schemas['AgentToolView'],
  {
    /** `when`: it depends on the arguments. */
    approval: boolean | 'when';
    required_role: Role;
    schema?: JsonObject | null;
  }
>;

export type Agent = Narrow<
  Schemas['AgentView'],
  { tools: AgentTool[]; middleware: ({ use: string } & JsonObject)[]; limits: { max_steps: number } & JsonObject }
>;

export type Session = Narrow<
  Schemas['SessionView'],
  {
    waiting_for: WaitingFor | null;
    /** `seq`: the event that says so, when the server names it. */
    error: { code: string; message: string; seq?: number } | null;
  }
>;

export type LogEvent = Narrow<
  Schemas['EventOut'],
  {
    /** `null` when the event was asked for without its body. */
    payload: JsonObject | null;
    sealed?: [string, number, number, string][] | null;
    edited?: { by: Actor; of: number } | null;
    head?: HeadRow | null;
  }
>;

/** One line of a list of events: what can be said without reading the body. */
export type HeadRow = Schemas['HeadOut'];

export type HeadColumns = Narrow<Schemas['HeadColumns'], { data: Record<string, (string | number | boolean | null)[]> }>;

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string | Json | null;
  tool_calls?: { id?: string; name: string; arguments: Json; provider_id?: string; raw?: string }[];
  tool_call_id?: string;
  name?: string;
  items?: Json[];
}

export type PromptMessage = Narrow<
  Schemas['PromptMessage'],
  {
    message: Message;
    origin: { seq: number; i?: number | null } | null;
    /** In a shared replay: the message came before the range, or its event does not show it. */
    missing?: 'before' | 'hidden';
  }
>;

export type Prompt = Narrow<Schemas['PromptView'], { params: JsonObject; tools: JsonObject[]; messages: PromptMessage[] }>;

export type Interrupt = Narrow<
  Schemas['InterruptView'],
  {
    kind: 'approval' | 'question' | 'in_doubt' | 'budget' | 'retries' | 'guard' | 'version';
    parents: { address: string; info: Json }[];
    arguments: JsonObject | null;
    info: Json;
    schema: JsonSchema | null;
    required_role: Role;
    status: 'pending' | 'decided' | 'expired' | 'cancelled';
    answer: { arguments?: JsonObject | null; message?: string | null; value?: Json } | null;
    proposal: { tool: string; arguments: JsonObject } | null;
  }
>;

export type Decision = Narrow<Schemas['DecisionIn'], { arguments?: JsonObject; value?: Json }>;

export type EffectPolicy = 'recorded' | 'ask' | 'live' | 'stub';

export type BranchRequest = Partial<Schemas['BranchIn']> & { at: number };

export type NewSession = Partial<Schemas['NewSession']> & { agent: string; input: string };

export type CompareRow = Narrow<
  Schemas['ComparedRow'],
  { relation: 'same' | 'wording' | 'different' | 'only_a' | 'only_b'; a: HeadRow | null; b: HeadRow | null }
>;

export type Comparison = Narrow<
  Schemas['Comparison'],
  {
    a: Session;
    b: Session;
    fork: { seq: number; edited: boolean; overrides: JsonObject | null } | null;
    first_divergence: { row: number; kind: 'action' | 'wording' } | null;
    rows: CompareRow[];
  }
>;

/** Where a check stopped agreeing with the record. */
export interface Disagreement {
  seq?: number;
  message?: string;
  [detail: string]: Json | undefined;
}

export type Verdict = Narrow<
  Schemas['VerdictView'],
  {
    chain: Narrow<Schemas['ChainVerdict'], { error?: Disagreement | null }>;
    derivation: Narrow<Schemas['DerivationVerdict'], { divergence?: Disagreement | null }>;
    snapshots: Narrow<Schemas['SnapshotVerdict'], { error?: Disagreement | null }>;
  }
>;

export type ShareRequest = Schemas['ShareIn'];

export type Share = Schemas['ShareOut'];
export type NewShare = Schemas['ShareMadeOut'];

export type SharedReplay = Narrow<
  Schemas['SharedReplayOut'],
  {
    status: SessionStatus;
    masked: Record<string, number>;
    /** What verifying the original said when the link was made. */
    verdict: (Verdict & { at: string }) | null;
    data: HeadColumns['data'];
    events: LogEvent[];
  }
>;

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

/** A strategy or a middleware that an agent can be made of. */
export interface AgentPart {
  name: string;
  summary: string;
  options: JsonSchema;
  source: string;
}

/** What an agent can be made of. */
export interface AgentParts {
  strategies: AgentPart[];
  middleware: AgentPart[];
  tools: {
    name: string;
    description: string;
    schema: JsonSchema;
    /** `null`: its source does not say, so it counts as effectful. */
    effectful: boolean | null;
    idempotent: boolean | null;
    approval: boolean | 'when';
    required_role: Role;
    source: string;
    /** What has to be set before it does anything. */
    off?: string | null;
  }[];
  models: { name: string; provider: string; paid: boolean; default: boolean }[];
  agents: { slug: string; name: string; version: number }[];
  limits: JsonSchema;
  /** Sentences about plug-ins that can't be used, for those who may edit. */
  problems: string[];
}

export interface DefinitionProblem {
  field: string;
  message: string;
  line?: number | null;
  code?: string | null;
  params?: Record<string, string | number>;
}

export interface DefinitionCheck {
  problems: DefinitionProblem[];
  warnings: DefinitionProblem[];
  yaml: string | null;
  /** As it was read from YAML; `null` when it could not be. */
  definition: JsonObject | null;
}

export interface AgentVersion {
  version: number;
  note: string;
  digest: string;
  by: string | null;
  created_at: string;
  published: boolean;
  sessions: number;
}

export type AgentVersionWhole = Omit<AgentVersion, 'sessions'> & { definition: JsonObject };
