import type { BranchRequest, EffectPolicy, Json, JsonObject } from '../../api/types';
import { isObject, parseJson, sameJson } from '../../model/json';
import { type BranchTool, effectsOf, unconfirmed } from './effects';
import { type Edit, isEdited, messageOf, type Subject } from './subjects';

export interface Draft {
  /** The event whose content is another one in the branch; null when only settings differ. */
  subject: Subject | null;
  edit: Edit | null;
  /** Where the branch leaves when nothing is edited. */
  start: 'before' | 'after';
  instructions: string | null;
  model: string;
  version: number | null;
  params: string;
  effects: Record<string, EffectPolicy>;
  /** Names typed to confirm tools that run live. */
  typed: Record<string, string>;
  title: string;
  why: string;
}

export interface Basis {
  /** The event that the dialog was opened at, and the last one of the session. */
  seq: number;
  head: number;
  instructions: string;
  model: string;
  version: number;
  params: JsonObject;
  tools: BranchTool[];
}

export type Hindrance =
  | { kind: 'nothing' }
  | { kind: 'json'; field: 'text' | 'calls' | 'params'; reason: string }
  | { kind: 'confirm'; tools: string[] };

export type Plan = { request: BranchRequest; hindrance: null } | { request: null; hindrance: Hindrance };

const fail = (hindrance: Hindrance): Plan => ({ request: null, hindrance });
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : '');

function overridesOf(draft: Draft, basis: Basis, params: Json | undefined): NonNullable<BranchRequest['overrides']> {
  return {
    ...(draft.model && draft.model !== basis.model ? { model: draft.model } : {}),
    ...(draft.version !== null && draft.version !== basis.version ? { version: draft.version } : {}),
    ...(draft.instructions !== null && draft.instructions !== basis.instructions ? { instructions: draft.instructions } : {}),
    ...(params !== undefined ? { params: params as JsonObject } : {}),
  };
}

/** Parameters that differ from the recorded ones; an empty field means "as recorded". */
function paramsOf(draft: Draft, basis: Basis): Json | undefined {
  if (draft.params.trim() === '') return undefined;
  const value = parseJson(draft.params);
  if (!isObject(value)) throw new SyntaxError('{ … }');
  return sameJson(value, basis.params) ? undefined : value;
}

function editedMessage(draft: Draft): { message: JsonObject | null; broken: Hindrance | null } {
  if (!draft.subject || !draft.edit || !isEdited(draft.subject, draft.edit)) return { message: null, broken: null };
  try {
    return { message: messageOf(draft.subject, draft.edit), broken: null };
  } catch (error) {
    const field = draft.subject.json ? 'text' : 'calls';
    return { message: null, broken: { kind: 'json', field, reason: reasonOf(error) } };
  }
}

/** The request of a draft, or what keeps it from being sent. */
export function planOf(draft: Draft, basis: Basis): Plan {
  const { message, broken } = editedMessage(draft);
  if (broken) return fail(broken);
  let params: Json | undefined;
  try {
    params = paramsOf(draft, basis);
  } catch (error) {
    return fail({ kind: 'json', field: 'params', reason: reasonOf(error) });
  }
  const open = unconfirmed(basis.tools, draft.effects, draft.typed);
  if (open.length > 0) return fail({ kind: 'confirm', tools: open });
  if (draft.subject && !message) return fail({ kind: 'nothing' });
  const at = draft.subject ? draft.subject.seq : draft.start === 'before' ? basis.seq : basis.seq + 1;
  const overrides = overridesOf(draft, basis, params);
  return {
    hindrance: null,
    request: {
      at: Math.min(Math.max(at, 2), basis.head + 1),
      ...(draft.subject && message ? { replace: { event_type: draft.subject.kind, payload: { message } } } : {}),
      ...(Object.keys(overrides).length > 0 ? { overrides } : {}),
      effects: effectsOf(basis.tools, draft.effects),
      ...(draft.title.trim() ? { title: draft.title.trim() } : {}),
      ...(draft.why.trim() ? { why: draft.why.trim() } : {}),
    },
  };
}
