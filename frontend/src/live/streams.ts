import type { SessionFrame } from '../api/types';

type Delta = Extract<SessionFrame, { type: 'delta' }>;

export interface StreamedPart {
  part: string;
  text: string;
  /** Some of it was lost on the way: the text has a hole, and the recorded answer will fill it. */
  holed: boolean;
}

export interface Stream {
  attempt: number;
  parts: StreamedPart[];
}

const NONE: ReadonlyMap<number, Stream> = new Map();

function grow(part: StreamedPart, end: number, delta: Delta): StreamedPart {
  if (delta.at <= end) return { ...part, text: part.text.slice(0, part.text.length - (end - delta.at)) + delta.text };
  return { ...part, text: `${part.text} … ${delta.text}`, holed: true };
}

/**
 * The text of answers that are still being written, by the seq of their request. It is passing: frames may be
 * lost or doubled, and the recorded answer takes its place.
 */
export class Streams {
  private streams: ReadonlyMap<number, Stream> = NONE;
  /** Where each part ends in the text as the server counts it. */
  private readonly ends = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  get = (): ReadonlyMap<number, Stream> => this.streams;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  take(delta: Delta): void {
    const before = this.streams.get(delta.request);
    const fresh = !before || before.attempt < delta.attempt;
    if (before && before.attempt > delta.attempt) return;
    const key = `${delta.request}/${delta.attempt}/${delta.part}`;
    const parts = fresh ? [] : before.parts;
    const old = parts.find((each) => each.part === delta.part);
    const grown = grow(old ?? { part: delta.part, text: '', holed: false }, this.ends.get(key) ?? 0, delta);
    this.ends.set(key, delta.at + delta.text.length);
    const next = old ? parts.map((each) => (each === old ? grown : each)) : [...parts, grown];
    this.put(new Map(this.streams).set(delta.request, { attempt: delta.attempt, parts: next }));
  }

  /** The answer is in the log now. */
  drop(request: number): void {
    if (!this.streams.has(request)) return;
    const next = new Map(this.streams);
    next.delete(request);
    this.put(next);
  }

  private put(streams: ReadonlyMap<number, Stream>): void {
    this.streams = streams;
    for (const listener of this.listeners) listener();
  }
}
