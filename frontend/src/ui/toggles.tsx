import { Check } from 'lucide-react';
import { Checkbox as CheckboxPrimitive, Switch as SwitchPrimitive } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface ToggleProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** For what takes effect at once. */
export function Switch({ label, checked, onChange, disabled }: ToggleProps) {
  const id = useId();
  return (
    <span className={styles.inline}>
      <SwitchPrimitive.Root id={id} className={styles.switch} checked={checked} onCheckedChange={onChange} disabled={disabled}>
        <SwitchPrimitive.Thumb className={styles.thumb} />
      </SwitchPrimitive.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

/** For what takes effect when the form is sent. */
export function Checkbox({ label, checked, onChange, disabled }: ToggleProps) {
  const id = useId();
  return (
    <span className={styles.inline}>
      <CheckboxPrimitive.Root
        id={id}
        className={styles.box}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        disabled={disabled}
      >
        <CheckboxPrimitive.Indicator>
          <Check size={13} strokeWidth={3} />
        </CheckboxPrimitive.Indicator>
      </CheckboxPrimitive.Root>
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
