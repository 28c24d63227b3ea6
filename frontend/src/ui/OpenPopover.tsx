import { Popover as Primitive } from 'radix-ui';
import styles from './Menu.module.css';
import type { PopoverProps } from './Popover';

/** A small panel that hangs on the control that opens it. */
export default function OpenPopover({ trigger, onOpen, children }: PopoverProps) {
  return (
    <Primitive.Root defaultOpen onOpenChange={(open) => open && onOpen?.()}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className={styles.content} align="end" sideOffset={4} collisionPadding={8}>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
