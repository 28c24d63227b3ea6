import { diffArrays } from 'diff';
import type { Json, JsonObject, Prompt, PromptMessage } from '../api/types';
import { isObject, sameJson } from './json';

export type PromptChange =
  | { kind: 'same'; messages: PromptMessage[] }
  | { kind: 'added'; message: PromptMessage }
  | { kind: 'removed'; message: PromptMessage }
  | { kind: 'changed'; before: PromptMessage; after: PromptMessage };

export interface PromptDiff {
  changes: PromptChange[];
  added: number;
  removed: number;
  changed: number;
  /** Share of the newer prompt's characters that were there before, 0…1. */
  unchanged: number;
  toolsAdded: string[];
  toolsRemoved: string[];
  params: { name: string; before: Json | undefined; after: Json | undefined }[];
  model: { before: string; after: string } | null;
}

/** Pairs removed and added messages of one place that have the same role: they are one changed message. */
function settle(removed: PromptMessage[], added: PromptMessage[]): PromptChange[] {
  const pairs = Math.min(removed.length, added.length);
  const changes: PromptChange[] = [];
  for (let i = 0; i < pairs; i += 1) {
    const [before, after] = [removed[i], added[i]];
    if (!before || !after) continue;
    if (before.message.role === after.message.role) changes.push({ kind: 'changed', before, after });
    else changes.push({ kind: 'removed', message: before }, { kind: 'added', message: after });
  }
  changes.push(...removed.slice(pairs).map((message) => ({ kind: 'removed' as const, message })));
  changes.push(...added.slice(pairs).map((message) => ({ kind: 'added' as const, message })));
  return changes;
}

/** Aligns messages by digest, the way a reader would: what is equal stays together. */
export function alignMessages(before: PromptMessage[], after: PromptMessage[]): PromptChange[] {
  const parts = diffArrays(before, after, { comparator: (a, b) => a.digest === b.digest });
  const changes: PromptChange[] = [];
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    const next = parts[i + 1];
    if (!part) continue;
    if (!part.added && !part.removed) changes.push({ kind: 'same', messages: part.value });
    else if (part.removed && next?.added) {
      changes.push(...settle(part.value, next.value));
      i += 1;
    } else changes.push(...(part.removed ? settle(part.value, []) : settle([], part.value)));
  }
  return changes;
}

const toolName = (tool: JsonObject): string => {
  const inner = tool.function;
  const holder = isObject(inner) ? inner : tool;
  return String(holder.name ?? '');
};

function diffParams(before: JsonObject, after: JsonObject): PromptDiff['params'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !sameJson(before[name], after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}

export function diffPrompts(before: Prompt, after: Prompt): PromptDiff {
  const changes = alignMessages(before.messages, after.messages);
  const count = (kind: PromptChange['kind']) => changes.filter((change) => change.kind === kind).length;
  const kept = changes.flatMap((change) => (change.kind === 'same' ? change.messages : []));
  const chars = (messages: PromptMessage[]) => messages.reduce((sum, message) => sum + message.chars, 0);
  const [old, now] = [before.tools.map(toolName), after.tools.map(toolName)];
  return {
    changes,
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    unchanged: after.messages.length === 0 ? 1 : chars(kept) / Math.max(1, chars(after.messages)),
    toolsAdded: now.filter((name) => !old.includes(name)),
    toolsRemoved: old.filter((name) => !now.includes(name)),
    params: diffParams(before.params, after.params),
    model: before.model === after.model ? null : { before: before.model, after: after.model },
  };
}
