import type { Row } from '../../model/rows';

/** A row as it stood after event `seq`: what came later is not known yet. */
export function asOf(row: Row, seq: number): Row {
  if (row.last <= seq) return row;
  const members = row.members.filter((member) => member <= seq);
  const seen = { ...row, members, last: members.at(-1) ?? row.seq };
  if (row.settled === null || row.settled <= seq) return seen;
  const asked = row.type === 'interrupt';
  return {
    ...seen,
    settled: null,
    state: row.kind === 'model' || row.kind === 'tool' || row.kind === 'agent' ? 'open' : asked ? 'waiting' : row.state,
    label: row.kind === 'model' ? '' : asked ? (row.asked ?? row.label) : row.label,
    note: null,
    ms: Number.NaN,
    tokensIn: Number.NaN,
    tokensOut: Number.NaN,
    cost: Number.NaN,
  };
}
