import { useEffect } from 'react';
import { handleKey } from '../ui/keyboard/registry';

/** Lets the page's shortcuts work; once per window. */
export function useKeyListener(): void {
  useEffect(() => {
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
}
