import { Popover as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './Menu.module.css';

interface PopoverProps {
  trigger: ReactElement;
  onOpen?: () => void;
  children: ReactNode;
}

/** A small panel that hangs on the control that opens it. */
export function Popover({ trigger, onOpen, children }: PopoverProps) {
  return (
    <Primitive.Root onOpenChange={(open) => open && onOpen?.()}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className={styles.content} align="end" sideOffset={4} collisionPadding={8}>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
