import { useMemo, useState } from 'react';
import { settleOrder } from '../model/stable-order';

/** Rows of a live list, in an order that does not move while `held`; their content is always the newest. */
export function useStableRows<Row>(rows: Row[], keyOf: (row: Row) => string, held: boolean) {
  const [order, setOrder] = useState<string[]>([]);
  const now = rows.map(keyOf);
  const settled = settleOrder(order, now, held);
  if (settled.shown.length !== order.length || settled.shown.some((key, index) => key !== order[index])) setOrder(settled.shown);
  const byKey = useMemo(() => new Map(rows.map((row) => [keyOf(row), row])), [rows, keyOf]);
  const shown = settled.shown.map((key) => byKey.get(key)).filter((row) => row !== undefined);
  return { shown, arrived: settled.arrived, stale: settled.stale, refresh: () => setOrder(now) };
}
