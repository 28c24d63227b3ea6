import * as v from 'valibot';
import type { LogEvent, SessionFrame, WorkspaceFrame } from '../api/types';

const seq = v.pipe(v.number(), v.integer(), v.minValue(0));
/** What the client relies on in an event; the rest passes as it is. */
const event = v.looseObject({ seq, event_type: v.string(), ts: v.string(), session_id: v.string() });
const withId = v.looseObject({ id: v.string() });

const sessionFrame = v.variant('type', [
  v.object({ type: v.literal('events'), events: v.array(event) }),
  v.object({ type: v.literal('delta'), request: seq, attempt: v.number(), part: v.string(), at: v.number(), text: v.string() }),
  v.object({ type: v.literal('head'), seq, status: v.string(), waiting_for: v.nullish(v.string(), null) }),
  v.object({ type: v.literal('reset'), after: seq }),
]);

const workspaceFrame = v.variant('type', [
  v.object({ type: v.literal('session'), session: withId }),
  v.object({ type: v.literal('interrupt'), interrupt: withId }),
  v.object({ type: v.literal('count'), pending_for_me: v.number() }),
]);

/** A frame of a session's socket, or null for one that a newer server may send and this page does not know. */
export function parseSessionFrame(data: unknown): SessionFrame | null {
  const parsed = v.safeParse(sessionFrame, data);
  return parsed.success ? (parsed.output as SessionFrame & { events?: LogEvent[] }) : null;
}

export function parseWorkspaceFrame(data: unknown): WorkspaceFrame | null {
  const parsed = v.safeParse(workspaceFrame, data);
  return parsed.success ? (parsed.output as unknown as WorkspaceFrame) : null;
}
