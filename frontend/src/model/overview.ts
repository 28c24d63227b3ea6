import type { Headers } from './headers';
import { type Marker, markerOf, MARKERS } from './playback';

/** What one column of pixels of the overview strip stands for. */
export interface Bins {
  columns: number;
  /** Longest model call and tool call in the column, 0…1 on a logarithmic scale; 0 is none. */
  model: Float32Array;
  tool: Float32Array;
  /** Size of the newest prompt up to the column, 0…1 of the largest; NaN before the first is known. */
  context: Float32Array;
  /** The worst marker of the column, as its place in MARKERS; -1 is none. */
  marker: Int8Array;
}

/** 1 ms → 0, one minute and more → 1. */
const heightOf = (ms: number): number => (Number.isNaN(ms) || ms <= 0 ? 0.04 : Math.max(0.04, Math.min(1, Math.log10(1 + ms) / Math.log10(60_000))));

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
    if (type === 'llm_response' || type === 'llm_error') bins.model[column] = Math.max(bins.model[column] ?? 0, heightOf(ms));
    if (type === 'tool_result') bins.tool[column] = Math.max(bins.tool[column] ?? 0, heightOf(ms));
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
