import { useEffect, useState } from 'react';

/** How long the first press of a key waits for the second. */
const WAIT_MS = 4000;

/** A key that lets something happen in the world counts when it is pressed twice; `asked` is true between the two. */
export function useSecondPress(question: string) {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  useEffect(() => {
    if (askedFor === null) return undefined;
    const timer = setTimeout(() => setAskedFor(null), WAIT_MS);
    return () => clearTimeout(timer);
  }, [askedFor]);
  const asked = askedFor === question;
  return {
    asked,
    press: (act: () => void) => {
      setAskedFor(asked ? null : question);
      if (asked) act();
    },
  };
}
