import { type KeyboardEvent, type ReactNode, useId } from 'react';
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

/** Where a key leads from a tab: around, and past those that cannot be chosen. */
function targetOf<V extends string>(key: string, items: TabItem<V>[], value: V): TabItem<V> | undefined {
  const open = items.filter((item) => !item.disabled);
  const at = open.findIndex((item) => item.value === value);
  const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + open.length, Home: 0, End: open.length - 1 };
  const place = places[key];
  return place === undefined ? undefined : open[place % open.length];
}

/** One tab stop; the arrows choose, and the panel follows. */
export function Tabs<V extends string>({ label, value, onChange, items, children }: TabsProps<V>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const target = targetOf(event.key, items, value);
    if (!target) return;
    event.preventDefault();
    onChange(target.value);
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-value="${target.value}"]`)?.focus();
  };
  return (
    <div className={styles.root}>
      <div role="tablist" aria-label={label} className={styles.list}>
        {items.map((item) => {
          const chosen = item.value === value;
          return (
            <button
              key={item.value}
              type="button"
              role="tab"
              id={`${id}-${item.value}`}
              data-value={item.value}
              aria-selected={chosen}
              aria-controls={chosen ? `${id}-panel` : undefined}
              tabIndex={chosen ? 0 : -1}
              disabled={item.disabled}
              className={styles.tab}
              onClick={() => onChange(item.value)}
              onKeyDown={onKeyDown}
            >
              {item.label}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} tabIndex={0} className={styles.panel}>
        {children}
      </div>
    </div>
  );
}
