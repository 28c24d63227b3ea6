import { useEffect, useState } from 'react';

const ARM_MS = 400;

/** False for a moment after another question has come on screen: a key meant for the one before must not land on it. */
export function useArmed(question: string): boolean {
  const [armedFor, setArmedFor] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setArmedFor(question), ARM_MS);
    return () => clearTimeout(timer);
  }, [question]);
  return armedFor === question;
}
