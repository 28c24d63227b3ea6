import { useMemo, useState } from 'react';
import { matches, parseFilter } from '../../../model/filter';
import { type Slow, slowIn } from '../../../model/slow';
import { type Line, startOf, visibleLines } from '../../../model/visible';
import { useLogVersion, useSessionScope } from '../context';

export interface Lines {
  lines: Line[];
  /** First event of each line, for finding the playhead's place by halving. */
  starts: Int32Array;
  /** Rows that the filter leaves out. */
  hidden: number;
  /** What counts as slow in this session. */
  slow: Slow;
  closed: ReadonlySet<number>;
  toggle: (seq: number) => void;
}

/** The lines to show: filter and closed rows applied, made anew when the log grows. */
export function useLines(filter: string): Lines {
  const { source, rows } = useSessionScope();
  const version = useLogVersion();
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const result = useMemo(() => {
    const parsed = parseFilter(filter);
    const slow = slowIn(rows.rows);
    const lines = visibleLines(source.headers, version >= 0 ? rows.rows : [], closed, (row) => matches(parsed, row, slow));
    const shown = parsed.terms.length > 0 ? lines.filter((line) => line.kind === 'row') : lines;
    const hidden = parsed.terms.length > 0 ? rows.rows.length - shown.length : 0;
    return { lines: shown, starts: Int32Array.from(shown, startOf), hidden, slow };
  }, [source, rows, version, closed, filter]);
  const toggle = (seq: number) =>
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(seq)) next.add(seq);
      return next;
    });
  return { ...result, closed, toggle };
}
