import type { Row } from './rows';
import { isSlow, type Slow } from './slow';

/**
 * The filter of the event list: `kind:tool`, `name:send_email`, `is:error`, `is:effectful`, `is:cached`,
 * `is:slow`, `type:guardrail`; words without a key look in name and label. Terms are separated by spaces or commas, and
 * all of them must hold.
 */
export interface Filter {
  terms: { key: string | null; value: string }[];
}

const IS: Record<string, (row: Row) => boolean> = {
  error: (row) => row.state === 'failed' || row.state === 'blocked',
  waiting: (row) => row.state === 'waiting',
  open: (row) => row.state === 'open' || row.state === 'waiting',
  effectful: (row) => row.effectful,
  cached: (row) => row.note === 'cache',
  guard: (row) => row.type === 'guardrail',
};

export function parseFilter(text: string): Filter {
  const words = text.match(/"[^"]*"|[^\s,]+/g) ?? [];
  const terms = words.map((word) => {
    const [, key = null, value = word] = /^(kind|name|is|type):(.*)$/.exec(word) ?? [];
    return { key, value: value.replaceAll('"', '').toLowerCase() };
  });
  return { terms: terms.filter((term) => term.value !== '') };
}

const holds: Record<string, (row: Row, value: string, slow: Slow) => boolean> = {
  kind: (row, value) => row.kind === value,
  name: (row, value) => row.name.toLowerCase().includes(value),
  type: (row, value) => row.type === value,
  is: (row, value, slow) => (value === 'slow' ? isSlow(row, slow) : (IS[value]?.(row) ?? false)),
};

/** When nothing is known to be slow. */
const NEVER: Slow = { model: Number.POSITIVE_INFINITY, tool: Number.POSITIVE_INFINITY };

export function matches(filter: Filter, row: Row, slow: Slow = NEVER): boolean {
  return filter.terms.every(({ key, value }) => {
    const test = key === null ? undefined : holds[key];
    return test ? test(row, value, slow) : `${row.name} ${row.label} #${row.seq}`.toLowerCase().includes(value);
  });
}
