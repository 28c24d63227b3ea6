import { lazy, Suspense } from 'react';
import { PlainText } from './PlainText';

const Markdown = lazy(() => import('./markdown/Markdown'));

/** Formatted text of a model; plain until the formatter has been loaded. */
export function MarkdownText({ children }: { children: string }) {
  return (
    <Suspense fallback={<PlainText>{children}</PlainText>}>
      <Markdown>{children}</Markdown>
    </Suspense>
  );
}
