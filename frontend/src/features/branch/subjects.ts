import type { Json, JsonObject, LogEvent } from '../../api/types';
import { isObject, parseJson, printJson } from '../../model/json';

export type SubjectKind = 'user_message' | 'llm_response' | 'tool_result';

/** An event whose content came from outside, and can be another one in a branch. */
export interface Subject {
  seq: number;
  kind: SubjectKind;
  /** Name of the tool, for a result. */
  tool: string | null;
  /** What is edited: the text, laid out when it is JSON. */
  text: string;
  /** The text is JSON, and is sent as compact as it was. */
  json: boolean;
  /** The calls that a response asks for, as JSON text; null for other kinds. */
  calls: string | null;
}

export interface Edit {
  text: string;
  calls: string | null;
}

const KINDS = new Set<string>(['user_message', 'llm_response', 'tool_result']);

/** JSON that can be laid out and put back without changing a character. */
function parseExactly(text: string): Json | undefined {
  try {
    const value = parseJson(text);
    return (Array.isArray(value) || isObject(value)) && printJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

export function subjectOf(event: LogEvent): Subject | null {
  const message = event.payload?.message;
  if (!KINDS.has(event.event_type) || !isObject(message)) return null;
  const content = typeof message.content === 'string' ? message.content : '';
  const json = event.event_type === 'tool_result' ? parseExactly(content) : undefined;
  const response = event.event_type === 'llm_response';
  return {
    seq: event.seq,
    kind: event.event_type as SubjectKind,
    tool: typeof event.payload?.tool === 'string' ? event.payload.tool : null,
    text: json === undefined ? content : printJson(json, 2),
    json: json !== undefined,
    calls: response ? printJson(message.tool_calls ?? [], 2) : null,
  };
}

export const editOf = (subject: Subject): Edit => ({ text: subject.text, calls: subject.calls });

export const isEdited = (subject: Subject, edit: Edit): boolean => edit.text !== subject.text || edit.calls !== subject.calls;

/** The message of the edited event; only what was changed is in it. Throws SyntaxError when JSON is broken. */
export function messageOf(subject: Subject, edit: Edit): JsonObject {
  const message: JsonObject = {};
  if (edit.text !== subject.text) message.content = subject.json ? printJson(parseJson(edit.text)) : edit.text;
  if (edit.calls !== null && edit.calls !== subject.calls) {
    const calls = parseJson(edit.calls);
    if (!Array.isArray(calls)) throw new SyntaxError('[ … ]');
    message.tool_calls = calls;
  }
  return message;
}

/**
 * What can be changed around an event: itself, what answers it, and what came before it; the nearest first.
 * `around` are events of the kinds that can be edited, before and after it.
 */
export function subjectsAround(event: LogEvent, around: LogEvent[]): Subject[] {
  const call = event.event_type === 'tool_call' ? event.payload?.call_id : undefined;
  const answers = (other: LogEvent) =>
    other.seq > event.seq && (other.cause === event.seq || (call !== undefined && other.payload?.call_id === call));
  const near = around.filter((other) => other.seq <= event.seq || answers(other));
  const known = new Map([...near, event].map((each) => [each.seq, each]));
  const rank = (each: LogEvent) => (each.seq === event.seq ? 0 : each.seq > event.seq ? 1 : 2);
  const ordered = [...known.values()].toSorted((a, b) => rank(a) - rank(b) || b.seq - a.seq);
  return ordered.map(subjectOf).filter((subject) => subject !== null);
}

/** What the dialog proposes to change: the event itself, or what answers it; not something further back. */
export function proposedSubject(event: LogEvent, subjects: Subject[]): Subject | null {
  const first = subjects[0];
  return first && first.seq >= event.seq ? first : null;
}
