import type { SessionFilter } from '../../api/sessions';
import type { SessionStatus } from '../../api/types';

export const STATUSES: SessionStatus[] = ['queued', 'running', 'waiting', 'paused', 'finished', 'limit', 'cancelled', 'failed'];

export interface ListFilter {
  statuses: SessionStatus[];
  agent: string;
  q: string;
}

/** The filter that an address names; what it does not know is ignored. */
export function readFilter(search: URLSearchParams): ListFilter {
  const wanted = new Set((search.get('status') ?? '').split(','));
  return { statuses: STATUSES.filter((status) => wanted.has(status)), agent: search.get('agent') ?? '', q: search.get('q') ?? '' };
}

/** The same address with another filter; everything else in it stays. */
export function writeFilter(search: URLSearchParams, filter: ListFilter): URLSearchParams {
  const next = new URLSearchParams(search);
  const values = { status: filter.statuses.join(','), agent: filter.agent, q: filter.q };
  for (const [name, value] of Object.entries(values)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

export const isEmpty = (filter: ListFilter): boolean => filter.statuses.length === 0 && !filter.agent && !filter.q.trim();

/** The filter as the server takes it: what is not set is left out. */
export function toQuery(filter: ListFilter): SessionFilter {
  return {
    ...(filter.statuses.length > 0 ? { status: filter.statuses.join(',') } : {}),
    ...(filter.agent ? { agent: filter.agent } : {}),
    ...(filter.q.trim() ? { q: filter.q.trim() } : {}),
  };
}

export function toggleStatus(filter: ListFilter, status: SessionStatus): ListFilter {
  const has = filter.statuses.includes(status);
  return { ...filter, statuses: STATUSES.filter((each) => (each === status ? !has : filter.statuses.includes(each))) };
}
