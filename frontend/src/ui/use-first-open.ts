import { cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react';

/**
 * For what hangs on a control and is seldom opened: until then the control stands alone, and what draws the rest is
 * loaded when it is reached for.
 */
export function useFirstOpen(trigger: ReactElement, popup: 'menu' | 'dialog', load: () => Promise<unknown>, onOpen?: () => void): { opened: boolean; closed: ReactElement } {
  const [opened, setOpened] = useState(false);
  const open = () => {
    setOpened(true);
    onOpen?.();
  };
  const closed = cloneElement(trigger as ReactElement<Record<string, unknown>>, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => popup === 'menu' && event.key === 'ArrowDown' && open(),
  });
  return { opened, closed };
}
