import type { Headers } from './headers';
import { type Marker, markerOf, MARKERS } from './playback';

/** What one column of pixels of the overview strip stands for. */
export interface Bins {
  columns: number;
  /** Time that models and tools took in the column, 0…1 of what a busy column takes (its 95th percentile). */
  model: Float32Array;
  tool: Float32Array;
  /** Size of the newest prompt up to the column, 0…1 of the largest; NaN before the first is known. */
  context: Float32Array;
  /** The worst marker of the column, as its place in MARKERS; -1 is none. */
  marker: Int8Array;
}

const rank = (marker: Marker | null): number => (marker === null ? -1 : MARKERS.indexOf(marker));

/** The column of an event: each has its middle in the cell of its seq. */
export function columnOf(headers: Headers, seq: number, columns: number): number {
  const share = (seq - headers.first + 0.5) / Math.max(1, headers.count);
  return Math.min(columns - 1, Math.max(0, Math.floor(share * columns)));
}

/** The event under a column, for a click. */
export function seqAt(headers: Headers, share: number): number {
  const seq = headers.first + Math.floor(share * headers.count);
  return Math.min(headers.last, Math.max(headers.first, seq));
}

/** One pass over all headers; made anew at most four times a second while events arrive. */
export function binHeaders(headers: Headers, columns: number): Bins {
  const bins: Bins = {
    columns,
    model: new Float32Array(columns),
    tool: new Float32Array(columns),
    context: new Float32Array(columns).fill(Number.NaN),
    marker: new Int8Array(columns).fill(-1),
  };
  let largest = 1;
  for (let i = 0; i < headers.count; i += 1) {
    const column = columnOf(headers, headers.first + i, columns);
    const type = headers.types[i];
    const ms = headers.ms[i] ?? Number.NaN;
    const took = Number.isNaN(ms) ? 0 : ms;
    if (type === 'llm_response' || type === 'llm_error') bins.model[column] = (bins.model[column] ?? 0) + took;
    if (type === 'tool_result') bins.tool[column] = (bins.tool[column] ?? 0) + took;
    const context = headers.tokensIn[i] ?? Number.NaN;
    if (!Number.isNaN(context)) {
      bins.context[column] = context;
      largest = Math.max(largest, context);
    }
    const found = rank(markerOf(headers, i));
    const there = bins.marker[column] ?? -1;
    if (found >= 0 && (there < 0 || found < there)) bins.marker[column] = found;
  }
  carryContext(bins.context, largest);
  scaleActivity(bins);
  return bins;
}

function carryContext(context: Float32Array, largest: number): void {
  let known = Number.NaN;
  for (let column = 0; column < context.length; column += 1) {
    const value = context[column] ?? Number.NaN;
    if (!Number.isNaN(value)) known = value / largest;
    context[column] = known;
  }
}

/** One very long call must not flatten everything else, so the scale ends at what nineteen of twenty columns stay under. */
function scaleActivity({ model, tool, columns }: Bins): void {
  const sums = Float32Array.from(model, (value, column) => value + (tool[column] ?? 0));
  const busy = sums.filter((sum) => sum > 0).toSorted();
  const full = busy[Math.floor((busy.length - 1) * 0.95)] || 1;
  for (let column = 0; column < columns; column += 1) {
    const over = Math.max(1, (sums[column] ?? 0) / full);
    model[column] = (model[column] ?? 0) / full / over;
    tool[column] = (tool[column] ?? 0) / full / over;
  }
}
