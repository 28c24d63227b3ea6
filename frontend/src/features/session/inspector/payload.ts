import type { Actor, Json, JsonObject, LogEvent, Message } from '../../../api/types';
import { isNumber, isObject, parseJson, printJson } from '../../../model/json';


export const objectIn = (payload: JsonObject | null | undefined, name: string): JsonObject | null => {
  const value = payload?.[name];
  return isObject(value) ? value : null;
};

export const stringIn = (payload: JsonObject | null | undefined, name: string): string | null => {
  const value = payload?.[name];
  return typeof value === 'string' ? value : null;
};

export const numberIn = (payload: JsonObject | null | undefined, name: string): number | null => {
  const value = payload?.[name];
  return isNumber(value) ? Number(value) : null;
};

export const listIn = (payload: JsonObject | null | undefined, name: string): Json[] => {
  const value = payload?.[name];
  return Array.isArray(value) ? value : [];
};

export const messageIn = (payload: JsonObject | null | undefined): Message | null => objectIn(payload, 'message') as Message | null;

export const actorIn = (payload: JsonObject | null | undefined): Actor | null => objectIn(payload, 'by') as Actor | null;

/** The text that an event carries: its message's content, or the message itself when it is a text. */
export function textOf(payload: JsonObject | null): string {
  const content = messageIn(payload)?.content ?? payload?.message ?? null;
  if (content === null) return '';
  return typeof content === 'string' ? content : printJson(content, 2);
}

/** A text that is JSON is shown as JSON, anything else as it is. */
export function parseContent(text: string): Json | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Fields that are what an event has to say; without them there is nothing left to show. */
const CONTENT = new Set(['message', 'arguments', 'prompt', 'definition', 'request', 'answer']);

/** Whether what an event says was left out where the replay was shared; `hidden` names the fields that were. */
export const isHidden = (event: LogEvent | undefined): boolean => listIn(event?.payload, 'hidden').some((name) => CONTENT.has(String(name)));
