import type { Interrupt } from '../../api/types';

/** Calls that one answer of the model asked for: their ids share the event, as in `c41.0` and `c41.1`. */
export function turnOf(interrupt: Interrupt): string | null {
  const event = interrupt.call_id?.split('.')[0];
  return event ? `${interrupt.session}:${event}` : null;
}

/** All questions of the same turn, this one among them, in the model's order. */
export function siblingsOf(interrupt: Interrupt, others: Interrupt[]): Interrupt[] {
  const turn = turnOf(interrupt);
  if (turn === null) return [interrupt];
  const rest = others.filter((other) => other.id !== interrupt.id && turnOf(other) === turn);
  const place = (each: Interrupt) => Number(each.call_id?.split('.')[1] ?? 0);
  return [...rest, interrupt].toSorted((a, b) => place(a) - place(b) || a.seq - b.seq);
}

const NEVER = '9999';

/** Mine first, then what expires soonest, then what has waited longest. */
function compareUrgency(a: Interrupt, b: Interrupt): number {
  if (a.can_decide !== b.can_decide) return a.can_decide ? -1 : 1;
  return (a.expires_at ?? NEVER).localeCompare(b.expires_at ?? NEVER) || a.created_at.localeCompare(b.created_at);
}

/** The order of the inbox; the calls of one turn stand together, at the place of the most urgent of them. */
export function orderPending(interrupts: Interrupt[]): Interrupt[] {
  const turns = new Map<string, Interrupt[]>();
  for (const interrupt of interrupts.toSorted(compareUrgency)) {
    const turn = turnOf(interrupt) ?? interrupt.id;
    turns.set(turn, [...(turns.get(turn) ?? []), interrupt]);
  }
  return [...turns.values()].flat();
}

/** "refund-desk › issue_refund": an address as people read it, without entry counts and middleware. */
export function shownAddress(address: string): string {
  const names = address
    .split(';')
    .map((part) => part.split(':'))
    .filter(([kind]) => kind !== 'mw')
    .map(([kind, name = '']) => (kind === 'agent' ? name.replace(/[/#].*$/, '') : name));
  return names.filter((name, index) => name && name !== names[index - 1]).join(' › ');
}
