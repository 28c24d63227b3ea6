import { useCallback, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';

/** Holds whoever leaves with a draft. `pass` lets the next step go, after saving; within the page nothing holds. */
export function useLeaving(dirty: boolean) {
  const passing = useRef(false);
  useEffect(() => {
    passing.current = false;
    if (!dirty) return undefined;
    const warn = (event: BeforeUnloadEvent) => {
      if (!passing.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
  const pass = useCallback(() => {
    passing.current = true;
  }, []);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => dirty && !passing.current && currentLocation.pathname !== nextLocation.pathname);
  return { blocker, pass };
}
