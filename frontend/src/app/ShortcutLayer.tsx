import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { shortcutSheet } from './shortcut-sheet';

const ShortcutSheet = lazy(async () => ({ default: (await import('./ShortcutSheet')).ShortcutSheet }));

/** The sheet of shortcuts, once it is asked for. */
export function ShortcutLayer() {
  const { open } = useStore(shortcutSheet);
  return open ? (
    <Suspense fallback={null}>
      <ShortcutSheet />
    </Suspense>
  ) : null;
}
