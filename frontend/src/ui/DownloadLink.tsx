import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Button.module.css';

/** Looks like a button; gives a file of this server. */
export function DownloadLink({ href, file, children }: { href: string; file: string; children: ReactNode }) {
  return (
    <a href={href} download={file} className={`${styles.button} ${styles.default}`}>
      <Download size={14} aria-hidden="true" />
      {children}
    </a>
  );
}
