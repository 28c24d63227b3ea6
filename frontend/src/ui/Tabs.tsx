import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Tabs.module.css';

export interface TabItem<V extends string> {
  value: V;
  label: ReactNode;
  disabled?: boolean;
}

interface TabsProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  items: TabItem<V>[];
  /** The panel of the chosen tab; it scrolls by itself. */
  children: ReactNode;
}

export function Tabs<V extends string>({ label, value, onChange, items, children }: TabsProps<V>) {
  return (
    <Primitive.Root className={styles.root} value={value} onValueChange={(next) => onChange(next as V)}>
      <Primitive.List className={styles.list} aria-label={label}>
        {items.map((item) => (
          <Primitive.Trigger key={item.value} value={item.value} className={styles.tab} disabled={item.disabled}>
            {item.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      <Primitive.Content value={value} className={styles.panel}>
        {children}
      </Primitive.Content>
    </Primitive.Root>
  );
}
