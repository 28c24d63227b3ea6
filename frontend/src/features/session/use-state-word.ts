import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Totals, totalsAt } from '../../model/headers';
import { useLogVersion, useSessionScope } from './context';

/** Status, tokens and cost as they stood after event `seq`; of a branch, since its own first event. */
export function useTotals(seq: number, since?: number): Totals {
  const { source } = useSessionScope();
  const version = useLogVersion();
  return useMemo(() => (version >= 0 ? totalsAt(source.headers, seq, since) : totalsAt(source.headers, 0)), [source, version, seq, since]);
}

export function useStateWord(seq: number): string {
  const { t } = useTranslation('common');
  return t(`status.${useTotals(seq).status}`);
}
