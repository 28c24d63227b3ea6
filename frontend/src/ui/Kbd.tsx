import styles from './Kbd.module.css';

/** The key that does the same as the control it stands in. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className={styles.kbd} aria-hidden="true">
      {children}
    </kbd>
  );
}
