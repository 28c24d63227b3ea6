import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { checkQuery } from '../../../api/agent-versions';
import type { Problem } from '../../../model/problems';
import { problemIn } from './checks-in-chinese';
import type { Draft } from './use-draft';
import { useChineseTexts } from './use-parts';

const QUIET_MS = 350;

/** A value as it was when it last stood still for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** What the server says about the draft, asked when a person pauses in writing. */
export function useCheck({ definition, text }: Draft, read: (text: string, definition: Draft['definition']) => void) {
  const settled = useSettled(text ?? definition);
  const query = useQuery({ ...checkQuery(typeof settled === 'string' ? { yaml: settled } : { definition: settled }), placeholderData: keepPreviousData });
  const fresh = settled === (text ?? definition) && !query.isFetching && !query.isPlaceholderData;
  const found = fresh && typeof settled === 'string' ? query.data?.definition : null;
  useEffect(() => {
    if (found && typeof settled === 'string') read(settled, found);
    // `read` is made anew with each draft; only an answer is news.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [found, settled]);
  const texts = useChineseTexts();
  const told = useMemo(() => {
    const say = (problems: readonly Problem[] = []) => (texts ? problems.map((each) => problemIn(texts, each)) : problems);
    return { problems: say(query.data?.problems), warnings: say(query.data?.warnings) };
  }, [query.data, texts]);
  return {
    ...told,
    yaml: query.data?.yaml ?? null,
    /** The text cannot be read at all: the form shows what could be read last. */
    unreadable: text !== null && fresh && query.data !== undefined && !query.data.definition,
    fresh,
    error: query.error,
    retry: () => void query.refetch(),
  };
}

export type Check = ReturnType<typeof useCheck>;
