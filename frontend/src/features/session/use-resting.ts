import { useEffect, useRef, useState } from 'react';

const REST_MS = 150;

/** A value that follows at once after a rest, and waits for one while changes come fast: bodies are not fetched in passing. */
export function useResting(value: number): number {
  const [resting, setResting] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const now = performance.now();
    const fast = now - last.current < REST_MS * 2;
    last.current = now;
    const timer = setTimeout(() => setResting(value), fast ? REST_MS : 0);
    return () => clearTimeout(timer);
  }, [value]);
  return resting;
}
