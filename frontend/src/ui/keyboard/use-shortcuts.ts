import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { listShortcuts, register, singleKeysEnabled, subscribe } from './registry';

export interface ShortcutSpec {
  /** Alternatives that do the same, e.g. ["j", "ArrowDown"]. */
  keys: string[];
  label: string;
  run: (event: KeyboardEvent) => void;
}

/** Shortcuts that hold while this component is on screen. The newest registration of a key wins. */
export function useShortcuts(group: string, specs: ShortcutSpec[]): void {
  const shape = JSON.stringify(specs.map(({ keys, label }) => ({ keys, label })));
  const run = useEffectEvent((index: number, event: KeyboardEvent) => specs[index]?.run(event));
  useEffect(() => {
    const described = JSON.parse(shape) as { keys: string[]; label: string }[];
    const undo = described.map((each, index) => register({ ...each, group, run: (event) => run(index, event) }));
    return () => {
      for (const each of undo) each();
    };
  }, [group, shape]);
}

export function useShortcutList() {
  const list = useSyncExternalStore(subscribe, listShortcuts);
  const enabled = useSyncExternalStore(subscribe, singleKeysEnabled);
  return { list, enabled };
}
