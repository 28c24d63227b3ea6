import { createContext, useContext, useEffect, useRef } from 'react';

export interface Crumb {
  label: string;
  to?: string;
}

export interface PageInfo {
  /** The last word of the breadcrumb and the first of the window's title. */
  title: string;
  /** What stands before it. */
  crumbs?: Crumb[];
  /** The page shows its title itself, so the breadcrumb ends before it. */
  titleInPage?: boolean;
}

export type AnnouncePage = (info: PageInfo) => void;

export const PageContext = createContext<AnnouncePage>(() => undefined);

/**
 * Tells the shell what this page is (breadcrumb, window title), and gives the ref for its `h1`,
 * which takes the focus when the page opens, so that a screen reader starts there.
 */
export function usePage({ title, crumbs, titleInPage }: PageInfo) {
  const announce = useContext(PageContext);
  const heading = useRef<HTMLHeadingElement>(null);
  const path = JSON.stringify(crumbs ?? []);
  useEffect(() => announce({ title, titleInPage, crumbs: JSON.parse(path) as Crumb[] }), [announce, title, titleInPage, path]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return heading;
}
