import type { Interrupt } from '../api/types';

export type Asked = Pick<Interrupt, 'kind' | 'info' | 'consequence'>;

/** The one sentence that a list says of a question: what will happen, or what somebody wants to know. */
export function headlineOf({ kind, info, consequence }: Asked): string | null {
  const said = typeof info === 'string' && info !== '' ? info : null;
  return kind === 'approval' ? (consequence ?? said) : (said ?? consequence ?? null);
}
