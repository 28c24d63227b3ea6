import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentListQuery } from '../../api/agents';
import type { Session } from '../../api/types';

const KEY = 'playhead.first-steps';
type Mark = 'watched' | 'brought' | 'dismissed';

const stored = (): Mark[] => (localStorage.getItem(KEY) ?? '').split(' ').filter(Boolean) as Mark[];

export interface FirstSteps {
  /** Whether the card is still shown: until every step is done, or somebody does not want it. */
  open: boolean;
  done: { watch: boolean; ask: boolean; bring: boolean };
  mark: (mark: Mark) => void;
}

/**
 * Which of the three steps somebody has done. That a session was asked for and an agent was made is seen from what
 * is there; that a recording was watched, and a file was taken along, is known to this browser only.
 */
export function useFirstSteps(sessions: Session[] | undefined): FirstSteps {
  const [marks, setMarks] = useState(stored);
  const agents = useQuery(agentListQuery);
  const done = {
    watch: marks.includes('watched'),
    ask: sessions?.some((session) => !session.imported) ?? false,
    bring: marks.includes('brought') || (agents.data?.items.some((agent) => agent.origin === 'console') ?? false),
  };
  const mark = (next: Mark) => {
    const all = [...new Set([...marks, next])];
    localStorage.setItem(KEY, all.join(' '));
    setMarks(all);
  };
  return { open: !marks.includes('dismissed') && !(done.watch && done.ask && done.bring), done, mark };
}
