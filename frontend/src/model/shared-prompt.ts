import type { Json, JsonObject, LogEvent, Message, Prompt, PromptMessage } from '../api/types';
import { isObject, printJson } from './json';

type Events = ReadonlyMap<number, LogEvent>;

const ROLES: Record<string, Message['role']> = { user_message: 'user', steer: 'user', llm_response: 'assistant', tool_result: 'tool' };

/** The activation that a scope belongs to: without the number of the step. */
const activationOf = (scope: string | null | undefined): string => (scope ?? '').replace(/\/\d+$/, '');

const seqsIn = (value: Json | undefined): number[] => (Array.isArray(value) ? value.map(Number) : []);

/** What the share leaves out: the place in the prompt stays, so that nobody takes the rest for the whole. */
const missing = (digest: string, role: Message['role'] | null, origin: PromptMessage['origin']): PromptMessage => ({
  message: { role: role ?? 'system', content: null },
  origin,
  digest,
  chars: 0,
  missing: role === null ? 'before' : 'hidden',
});

function present(message: JsonObject, digest: string, origin: PromptMessage['origin']): PromptMessage {
  const chars = typeof message.content === 'string' ? message.content.length : 0;
  return { message: message as unknown as Message, origin, digest, chars };
}

/** A message by the event that carries it. An event before the range is not in the share. */
function carried(events: Events, seq: number, i: number | null): PromptMessage {
  const digest = `m:${seq}:${i ?? ''}`;
  const event = events.get(seq);
  const message = event?.payload?.message;
  const origin = event ? { seq, i } : null;
  return isObject(message) ? present(message, digest, origin) : missing(digest, event ? (ROLES[event.event_type] ?? 'system') : null, origin);
}

/** One request, spliced together from the one before it in its activation. */
function unsplice(events: Events, before: PromptMessage[], splices: Json[]): PromptMessage[] {
  const out: PromptMessage[] = [];
  for (const splice of splices) {
    const [kind, what, more] = Array.isArray(splice) ? splice : [];
    if (kind === 'c') {
      const from = Number(what);
      for (let at = from; at < from + Number(more); at += 1) out.push(before[at] ?? missing(`before:${at}`, null, null));
    } else if (kind === 'm') out.push(carried(events, Number(what), more === undefined ? null : Number(more)));
    else if (isObject(what)) out.push(present(what, `n:${printJson(what)}`, null));
  }
  return out;
}

/** Requests up to one, of its activation, that were not given up by a crash or a branch. */
function requestsUpTo(events: Events, last: LogEvent): LogEvent[] {
  const all = [...events.values()].filter((event) => event.seq <= last.seq);
  const dropped = new Set(all.flatMap((event) => seqsIn(event.payload?.abandoned)));
  const mine = (event: LogEvent) => event.event_type === 'llm_request' && activationOf(event.scope) === activationOf(last.scope);
  return all.filter((event) => event === last || (mine(event) && !dropped.has(event.seq)));
}

function toolsOf(events: Events, tools: Json | undefined): JsonObject[] {
  const list = typeof tools === 'number' ? events.get(tools)?.payload?.tools : tools;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Whether a share tells what the model saw. */
export const showsPrompts = (events: Iterable<LogEvent>): boolean =>
  [...events].some((event) => event.event_type === 'llm_request' && Array.isArray(event.payload?.prompt));

/** The prompt of a request, as far as the events of a share tell it; null when it is none, or hidden. */
export function sharedPrompt(events: Events, seq: number): Prompt | null {
  const last = events.get(seq);
  if (!last || !Array.isArray(last.payload?.prompt)) return null;
  const { payload } = last;
  const requests = requestsUpTo(events, last);
  let messages: PromptMessage[] = [];
  for (const request of requests) messages = unsplice(events, messages, (request.payload?.prompt ?? []) as Json[]);
  const attempts = [...events.values()].filter((event) => event.event_type === 'llm_attempt' && event.cause === seq);
  return {
    seq,
    model: String(payload.model ?? ''),
    params: isObject(payload.params) ? payload.params : {},
    tools: toolsOf(events, payload.tools),
    messages,
    digest: String(payload.digest ?? ''),
    fingerprint: String(payload.fingerprint ?? ''),
    previous: requests.at(-2)?.seq ?? null,
    attempts: attempts.map(({ payload: told }) => ({ n: Number(told?.n), reason: String(told?.reason), model: String(told?.model) })),
  };
}
