import type { JsonObject } from '../../../api/types';

/** From what may run at any time to what changes the world for good. */
export const EFFECTS = ['readOnly', 'idempotent', 'effectful'] as const;
export type Effect = (typeof EFFECTS)[number];

/** What a source says of a tool; `null` when it does not know, as an MCP server without annotations. */
export function effectClass(tool: { effectful?: boolean | null; idempotent?: boolean | null }): Effect | null {
  if (tool.effectful === undefined || tool.effectful === null) return null;
  if (!tool.effectful) return 'readOnly';
  return tool.idempotent ? 'idempotent' : 'effectful';
}

/** What an agent may say instead: only what is stricter; of a tool whose source does not know, anything. */
export const stricterThan = (effect: Effect | null): Effect[] => (effect === null ? [...EFFECTS] : EFFECTS.slice(EFFECTS.indexOf(effect) + 1));

/** What an entry of a definition says itself; null when it leaves the word to the source. */
export function declaredEffect(entry: JsonObject): Effect | null {
  if (typeof entry.effectful !== 'boolean' && typeof entry.idempotent !== 'boolean') return null;
  return effectClass({ effectful: entry.effectful !== false, idempotent: entry.idempotent === true });
}

/** The entry with another declaration; null leaves the word to the source. */
export function declareEffect(entry: JsonObject, effect: Effect | null): JsonObject {
  const { effectful: _effectful, idempotent: _idempotent, ...rest } = entry;
  if (effect === null) return rest;
  if (effect === 'readOnly') return { ...rest, effectful: false };
  return { ...rest, effectful: true, idempotent: effect === 'idempotent' };
}

/** The tool of the catalogue that an entry names; of two with one name, that of the source it says. */
export const sourceOf = <T extends { name: string; source: string }>(tools: readonly T[], entry: JsonObject): T | undefined =>
  tools.find((tool) => tool.name === entry.name && (entry.source === undefined || entry.source === tool.source));
