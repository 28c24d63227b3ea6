import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '../../../model/problems';
import styles from './editor.module.css';

/** Where a problem of this field leads to. */
export function Place({ field, children }: { field: string; children: ReactNode }) {
  return (
    <div data-field={field} className={styles.place}>
      {children}
    </div>
  );
}

/** What is said about a row that no field of it shows: problems, then what merely deserves a look. */
export function Remarks({ problems, warnings }: { problems: readonly Problem[]; warnings: readonly Problem[] }) {
  return (
    <>
      {problems.map(({ field, message }) => (
        <p key={`${field} ${message}`} className={styles.problem}>
          {message}
        </p>
      ))}
      {warnings.map(({ field, message }) => (
        <p key={`${field} ${message}`} className={styles.warning}>
          <TriangleAlert size={14} aria-hidden="true" />
          {message}
        </p>
      ))}
    </>
  );
}

/** Puts the focus on the place that a problem names, or on the nearest one around it. */
export function focusPlace(frame: HTMLElement | null, places: readonly string[]): void {
  const place = places.map((name) => frame?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`)).find(Boolean);
  if (!place) return;
  place.closest('details')?.setAttribute('open', '');
  const control = place.querySelector<HTMLElement>('input,textarea,select,button');
  place.scrollIntoView({ block: 'center' });
  (control ?? place).focus({ preventScroll: true });
}
