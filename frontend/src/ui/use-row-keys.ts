import { type RefObject, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigationType } from 'react-router';
import { useShortcuts } from './keyboard/use-shortcuts';

/** The row that was last open, by list, so that Back returns to it. */
const lastRows = new Map<string, string>();

const rowsIn = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];

/**
 * J and K walk through the elements with `data-row` inside a list by moving the focus to them; Enter then opens,
 * as it does on any link. `name` is what the place in the list is remembered by.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, name: string, ready: boolean): void {
  const { t } = useTranslation('ui');
  const returned = useNavigationType() === 'POP';
  useEffect(() => {
    const key = ready && returned ? lastRows.get(name) : undefined;
    rowsIn(list.current).find((row) => row.dataset.row === key)?.scrollIntoView({ block: 'center' });
  }, [list, name, ready, returned]);
  useEffect(() => {
    const remember = (event: FocusEvent) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset.row;
      if (row) lastRows.set(name, row);
    };
    const frame = list.current;
    frame?.addEventListener('focusin', remember);
    return () => frame?.removeEventListener('focusin', remember);
  }, [list, name]);
  const go = (step: (at: number, last: number) => number) => {
    const rows = rowsIn(list.current);
    const focused = rows.indexOf(document.activeElement as HTMLElement);
    const at = focused >= 0 ? focused : rows.findIndex((row) => row.dataset.row === lastRows.get(name));
    rows[Math.min(Math.max(step(at, rows.length - 1), 0), rows.length - 1)]?.focus();
  };
  useShortcuts('list', [
    { keys: ['j', 'ArrowDown'], label: t('walk.next'), run: () => go((at) => at + 1) },
    { keys: ['k', 'ArrowUp'], label: t('walk.previous'), run: () => go((at) => (at < 0 ? 0 : at - 1)) },
    { keys: ['Home'], label: t('walk.first'), run: () => go(() => 0) },
    { keys: ['End'], label: t('walk.last'), run: () => go((_, last) => last) },
  ]);
}
