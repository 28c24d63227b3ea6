import { lazy, Suspense } from 'react';

const TextDiff = lazy(() => import('./TextDiff'));

/** What changed between two texts; the arithmetic is loaded when it is first needed. */
export function DiffView({ before, after }: { before: string; after: string }) {
  return (
    <Suspense fallback={null}>
      <TextDiff before={before} after={after} />
    </Suspense>
  );
}
