export interface StableOrder {
  /** Keys in the order to show. */
  shown: string[];
  /** How many rows wait to be shown at a place above. */
  arrived: number;
  /** Whether a refresh would change what is shown. */
  stale: boolean;
}

/**
 * The order to show when the true order has become `now`. While it is held (a pointer or the focus is in the
 * list) nothing moves: rows that are gone leave, rows after the last known one are added below, others wait.
 */
export function settleOrder(before: string[], now: string[], held: boolean): StableOrder {
  if (!held || before.length === 0) return { shown: now, arrived: 0, stale: false };
  const present = new Set(now);
  const kept = before.filter((key) => present.has(key));
  const known = new Set(kept);
  const lastKnown = now.findLastIndex((key) => known.has(key));
  const below = now.slice(lastKnown + 1);
  const shown = [...kept, ...below];
  const stale = shown.length !== now.length || shown.some((key, index) => key !== now[index]);
  return { shown, arrived: now.length - shown.length, stale };
}
