import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Line } from '../../../model/visible';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';

interface ListKeys {
  lines: Line[];
  current: number;
  closed: ReadonlySet<number>;
  toggle: (seq: number) => void;
  onSelect: (line: Line) => void;
  onMove: (line: Line) => void;
  reveal: (index: number) => void;
}

/** The nearest real row from a place on, in one direction. */
function rowFrom(lines: Line[], index: number, direction: 1 | -1): number {
  let at = index;
  while (lines[at]?.kind === 'gap') at += direction;
  return lines[at] ? at : -1;
}

/** J and K from anywhere on the page; the arrows of a tree when the list has the focus. */
export function useListKeys({ lines, current, closed, toggle, onSelect, onMove, reveal }: ListKeys) {
  const { t } = useTranslation('session');
  const to = (index: number, direction: 1 | -1) => {
    const at = rowFrom(lines, Math.max(0, Math.min(lines.length - 1, index)), direction);
    const line = lines[at];
    if (!line) return;
    onSelect(line);
    reveal(at);
  };
  const toParent = () => {
    const line = lines[current];
    const parent = line?.kind === 'row' ? line.row.parent : null;
    const at = lines.findIndex((each) => each.kind === 'row' && each.row.seq === parent);
    if (at >= 0) to(at, -1);
  };
  useShortcuts('session', [
    { keys: ['j'], label: t('keys.next'), run: () => to(current + 1, 1) },
    { keys: ['k'], label: t('keys.previous'), run: () => to(current - 1, -1) },
    {
      keys: ['Enter'],
      label: t('keys.move'),
      run: () => {
        const line = lines[current];
        if (line) onMove(line);
      },
    },
  ]);
  return (event: KeyboardEvent) => {
    const line = lines[current];
    const open = line?.kind === 'row' && line.hasChildren && !closed.has(line.row.seq);
    const shut = line?.kind === 'row' && line.hasChildren && closed.has(line.row.seq);
    const acts: Record<string, (() => void) | false | undefined> = {
      ArrowDown: () => to(current + 1, 1),
      ArrowUp: () => to(current - 1, -1),
      Home: () => to(0, 1),
      End: () => to(lines.length - 1, -1),
      PageDown: () => to(current + 16, 1),
      PageUp: () => to(current - 16, -1),
      ArrowRight: shut && (() => toggle(line.row.seq)),
      ArrowLeft: () => (open ? toggle(line.row.seq) : toParent()),
    };
    const act = acts[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey || act === undefined) return;
    event.preventDefault();
    if (act) act();
  };
}
