import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 1099px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Too narrow for two panes side by side: the inspector becomes a sheet. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
