import type { AgentTool, EffectPolicy } from '../../api/types';

export type BranchTool = Pick<AgentTool, 'name' | 'effectful' | 'approval'>;

export const POLICIES: EffectPolicy[] = ['recorded', 'ask', 'stub', 'live'];

/** What may happen to a call after the fork. */
export type Fate =
  /** Runs, and changes nothing. */
  | 'reads'
  /** The recorded result of the same call, and a person is asked about another one. */
  | 'recorded'
  /** A person is asked, and then it runs. */
  | 'asks'
  /** Some calls are asked about, by their arguments; all that run change the world. */
  | 'may_ask'
  /** Runs and changes the world, with nobody asked. */
  | 'runs'
  | 'stub';

/** Effectful tools are never live unless a person says so; a tool that needs approval asks even then. */
export function fateOf(tool: BranchTool, policy: EffectPolicy = 'recorded'): Fate {
  if (!tool.effectful) return tool.approval === true ? 'asks' : 'reads';
  if (policy !== 'live') return policy === 'ask' ? 'asks' : policy;
  if (tool.approval === true) return 'asks';
  return tool.approval === 'when' ? 'may_ask' : 'runs';
}

export type Fates = Partial<Record<Fate, string[]>>;

/** The tools by what may happen to them, in the order of the agent. */
export function fatesOf(tools: BranchTool[], effects: Record<string, EffectPolicy>): Fates {
  const fates: Fates = {};
  for (const tool of tools) {
    const fate = fateOf(tool, effects[tool.name]);
    fates[fate] = [...(fates[fate] ?? []), tool.name];
  }
  return fates;
}

/** Policies of all effectful tools, so that nothing is left to a default of the server. */
export function effectsOf(tools: BranchTool[], chosen: Record<string, EffectPolicy>): Record<string, EffectPolicy> {
  return Object.fromEntries(tools.filter((tool) => tool.effectful).map((tool) => [tool.name, chosen[tool.name] ?? 'recorded']));
}

/** Tools that are to run live and whose name has not been typed yet. */
export function unconfirmed(tools: BranchTool[], chosen: Record<string, EffectPolicy>, typed: Record<string, string>): string[] {
  return tools
    .filter((tool) => tool.effectful && chosen[tool.name] === 'live' && typed[tool.name]?.trim() !== tool.name)
    .map((tool) => tool.name);
}
