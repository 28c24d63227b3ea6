import type { Interrupt, LogEvent } from '../../api/types';
import { isObject } from '../../model/json';
import { readPlan } from '../../model/plan';
import { activationOf } from '../../model/rows';

export interface Reasons {
  /** What a person asked for. */
  asked: string;
  /** The step of the plan that a sub-agent works at. */
  step: string;
  /** What a sub-agent was told to do. */
  task: string;
  /** The answer of the model that led to the question. */
  response: LogEvent | undefined;
  said: string;
}

type Asked = Pick<Interrupt, 'address' | 'call_id' | 'seq'>;

export function textOf(event: LogEvent | undefined): string {
  const message = event?.payload?.message;
  const content = isObject(message) ? message.content : null;
  return typeof content === 'string' ? content : '';
}

/** "agent:root/3;tool:pay:c41.0" → "agent:root/3": the step in which something was asked. */
function stepOf(address: string): string {
  const parts = address.split(';');
  return parts.slice(0, parts.findLastIndex((part) => part.startsWith('agent:')) + 1).join(';');
}

export const isNested = (address: string): boolean => address.split(';').filter((part) => part.startsWith('agent:')).length > 1;

/** The answer that asked for the call, else the last one of the same step; never one of another step or run. */
function responseOf(run: LogEvent[], { address, call_id }: Asked): LogEvent | undefined {
  const answers = run.filter((event) => event.event_type === 'llm_response');
  const cause = Number(/^c(\d+)\./.exec(call_id ?? '')?.[1] ?? Number.NaN);
  return answers.find((event) => event.seq === cause) ?? answers.findLast((event) => event.scope === stepOf(address));
}

function stepIn(run: LogEvent[]): string {
  const plans = run.filter((event) => event.event_type === 'plan');
  const plan = readPlan(plans.at(-1)?.payload, plans.at(-2)?.payload);
  return plan?.steps.find((step) => !step.done)?.text ?? '';
}

/** Why something is asked, from the events before it: what belongs to another run or step is no reason. */
export function reasonsFor(interrupt: Asked, events: LogEvent[]): Reasons {
  const before = events.filter((event) => event.seq < interrupt.seq);
  const run = before.slice(before.findLastIndex((event) => event.event_type === 'session_end') + 1);
  const response = responseOf(run, interrupt);
  const nested = isNested(interrupt.address);
  const own = activationOf(interrupt.address);
  const started = run.findLast((event) => event.event_type === 'child_start' && activationOf(event.scope) === own);
  return {
    asked: textOf(before.findLast((event) => event.event_type === 'user_message')),
    step: nested ? stepIn(run) : '',
    task: nested ? textOf(started) : '',
    response,
    said: textOf(response),
  };
}
