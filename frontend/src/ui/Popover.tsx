import { lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { useFirstOpen } from './use-first-open';

const load = () => import('./OpenPopover');
const OpenPopover = lazy(load);

export interface PopoverProps {
  trigger: ReactElement;
  onOpen?: () => void;
  children: ReactNode;
}

/** A small panel that hangs on the control that opens it. */
export function Popover(props: PopoverProps) {
  const { opened, closed } = useFirstOpen(props.trigger, 'dialog', load, props.onOpen);
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenPopover {...props} />
    </Suspense>
  );
}
