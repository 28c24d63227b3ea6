import { cloneElement, type ReactElement } from 'react';

export type Side = 'top' | 'right' | 'bottom' | 'left';

interface TooltipProps {
  text: string;
  side?: Side;
  children: ReactElement;
}

/**
 * A second telling of what the control already says by name; never the only copy of a fact. The control carries only
 * the words: one `TooltipLayer` draws them for the whole page.
 */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  return cloneElement(children as ReactElement<Record<string, string>>, { 'data-tip': text, 'data-tip-side': side });
}
