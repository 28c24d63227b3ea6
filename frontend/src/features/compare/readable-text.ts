import type { JsonObject, LogEvent } from '../../api/types';
import { isObject, parseJson, printJson } from '../../model/json';


function pretty(text: string): string {
  try {
    const value = parseJson(text);
    return Array.isArray(value) || isObject(value) ? printJson(value, 2) : text;
  } catch {
    return text;
  }
}

/** Calls without the ids that differ between any two sessions. */
function callsOf(message: JsonObject): string[] {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  return calls.map((call) => `→ ${String(call.name)} ${printJson(call.arguments ?? {}, 2)}`);
}

/** What an event says, for a reader: its text and its calls, or the fields that a comparison is about. */
export function readableText({ event_type: type, payload }: LogEvent): string {
  if (!payload) return '';
  const { message } = payload;
  if (isObject(message)) {
    const content = typeof message.content === 'string' ? pretty(message.content) : '';
    return [content, ...callsOf(message)].filter(Boolean).join('\n');
  }
  if (type === 'tool_call' || type === 'interrupt') return `${String(payload.tool ?? '')} ${printJson(payload.arguments ?? {}, 2)}`;
  if (type === 'session_end') return [payload.outcome, payload.reason, payload.answer].filter((part) => typeof part === 'string').join('\n');
  if (type === 'decision') {
    const { decision, arguments: given, value, message: said } = payload;
    return printJson({ decision, ...(given ? { arguments: given } : {}), ...(value === undefined ? {} : { value }), ...(said ? { message: said } : {}) }, 2);
  }
  return printJson(payload, 2);
}
