import type { ReactNode } from 'react';
import { type PageInfo, usePage } from './page-context';
import styles from './page.module.css';

/** A page that scrolls as a whole: heading, actions, content. */
export function Page({ title, crumbs, actions, children }: PageInfo & { actions?: ReactNode; children: ReactNode }) {
  const heading = usePage({ title, crumbs, titleInPage: true });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A framed part of a page with a heading of its own. Never put one into another. */
export function Section({ title, aside, children }: { title: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 className={styles.sectionTitle}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
