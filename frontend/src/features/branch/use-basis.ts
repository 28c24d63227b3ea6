import { useQuery } from '@tanstack/react-query';
import { agentQuery } from '../../api/agents';
import { editableAroundQuery, eventQuery, sessionQuery } from '../../api/sessions';
import type { Agent, Json, JsonObject, LogEvent, Session } from '../../api/types';
import { isObject } from '../../model/json';
import type { BranchTool } from './effects';
import type { Basis } from './plan';
import { proposedSubject, type Subject, subjectsAround } from './subjects';

interface Definition {
  instructions?: string;
  params?: JsonObject;
  tools?: BranchTool[];
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** What the session was started with, from its first event; the tools of the agent's newest version are added. */
function basisOf(session: Session, seq: number, start: LogEvent, agent: Agent | undefined): Basis {
  const definition = objectOf(start.payload?.definition) as unknown as Definition;
  const tools = new Map<string, BranchTool>();
  for (const tool of [...(agent?.tools ?? []), ...(definition.tools ?? [])]) tools.set(tool.name, tool);
  return {
    seq,
    head: session.head_seq,
    instructions: definition.instructions ?? '',
    model: session.model,
    version: session.version,
    params: definition.params ?? {},
    tools: [...tools.values()],
  };
}

export interface Loaded {
  session: Session;
  agent: Agent | undefined;
  basis: Basis;
  event: LogEvent;
  subjects: Subject[];
  proposed: Subject | null;
}

/** Everything that the dialog needs to know, or the error that keeps it from opening. */
export function useBasis(id: string, seq: number): { loaded: Loaded | null; error: Error | null; retry: () => void } {
  const session = useQuery(sessionQuery(id));
  const event = useQuery(eventQuery(id, seq));
  const start = useQuery(eventQuery(id, 1));
  const around = useQuery(editableAroundQuery(id, seq));
  const slug = session.data?.agent ?? '';
  const agent = useQuery({ ...agentQuery(slug), enabled: slug !== '' });
  const error = session.error ?? event.error ?? start.error ?? around.error;
  const ready = session.data && event.data && start.data && around.data && !agent.isPending;
  if (!ready) {
    const retry = () => void Promise.all([session, event, start, around].map((query) => query.refetch()));
    return { loaded: null, error, retry };
  }
  const subjects = subjectsAround(event.data, around.data.items);
  const loaded: Loaded = {
    session: session.data,
    agent: agent.data,
    basis: basisOf(session.data, seq, start.data, agent.data),
    event: event.data,
    subjects,
    proposed: proposedSubject(event.data, subjects),
  };
  return { loaded, error: null, retry: () => undefined };
}
