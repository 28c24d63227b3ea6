import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import { Kbd } from './Kbd';
import type { MenuProps } from './Menu';
import styles from './Menu.module.css';

/** Not modal: the modal form locks scrolling by a <style> element, which the content security policy forbids. */
export default function OpenMenu({ trigger, label, items }: MenuProps) {
  return (
    <Primitive.Root modal={false} defaultOpen>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className={styles.content} align="end" sideOffset={4} collisionPadding={8}>
          {label && <Primitive.Label className={styles.label}>{label}</Primitive.Label>}
          {items.map((item, index) =>
            item === 'separator' ? (
              <Primitive.Separator key={`separator-${index}`} className={styles.separator} />
            ) : (
              <Primitive.Item
                key={item.key}
                className={clsx(styles.item, item.danger && styles.danger)}
                disabled={item.disabled}
                onSelect={item.onSelect}
              >
                {item.icon}
                <span className={styles.text}>{item.label}</span>
                {item.checked && <Check size={14} aria-hidden="true" />}
                {item.kbd && <Kbd>{item.kbd}</Kbd>}
              </Primitive.Item>
            ),
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
