import { createContext, useContext } from 'react';
import type { AgentParts, Json, JsonObject } from '../../../api/types';
import { fieldOf, type Path, valueAt } from '../../../model/definition';
import { messageIn, type Problem } from '../../../model/problems';

export interface EditorScope {
  definition: JsonObject;
  parts: AgentParts;
  problems: readonly Problem[];
  warnings: readonly Problem[];
  change: (path: Path, value: Json | undefined) => void;
  /** Tells a screen reader what has just happened. */
  announce: (text: string) => void;
  /** The slug of an agent that exists cannot be changed. */
  fixedSlug: boolean;
}

export const EditorContext = createContext<EditorScope | null>(null);

export function useEditor(): EditorScope {
  const scope = useContext(EditorContext);
  if (!scope) throw new Error('outside of the editor');
  return scope;
}

/** One place of the draft: its value, what is wrong with it, and how to change it. */
export function useField(path: Path) {
  const { definition, problems, change } = useEditor();
  const field = fieldOf(path);
  return { field, value: valueAt(definition, path), error: messageIn(problems, field), set: (value: Json | undefined) => change(path, value) };
}
