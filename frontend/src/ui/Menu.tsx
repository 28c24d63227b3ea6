import { lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { useFirstOpen } from './use-first-open';

const load = () => import('./OpenMenu');
const OpenMenu = lazy(load);

export interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  kbd?: string;
  danger?: boolean;
  checked?: boolean;
  disabled?: boolean;
  onSelect: () => void;
}

export interface MenuProps {
  trigger: ReactElement;
  label?: ReactNode;
  items: (MenuItem | 'separator')[];
}

/** A menu on a control. */
export function Menu(props: MenuProps) {
  const { opened, closed } = useFirstOpen(props.trigger, 'menu', load);
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu {...props} />
    </Suspense>
  );
}
