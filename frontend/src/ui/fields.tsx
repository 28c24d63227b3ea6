import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface Shared {
  label: ReactNode;
  /** Keeps the label for screen readers only, where the place already says what the field is. */
  labelHidden?: boolean;
  note?: ReactNode;
  error?: string | null;
  /** The page tells of its errors in one place: this one interrupts nobody. */
  quiet?: boolean;
  mono?: boolean;
}

interface FrameProps extends Shared {
  children: (ids: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }) => ReactNode;
}

function Field({ label, labelHidden, note, error, quiet, children }: FrameProps) {
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={labelHidden ? styles.hidden : styles.label}>
        {label}
        {note && <span className={styles.note}>{note}</span>}
      </label>
      {children({ id, 'aria-describedby': error ? errorId : undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <span id={errorId} className={styles.error} role={quiet ? undefined : 'alert'}>
          {error}
        </span>
      )}
    </div>
  );
}

type Native<T extends 'input' | 'textarea' | 'select'> = Omit<ComponentProps<T>, 'className' | 'onChange' | 'value' | 'id'>;

interface TextFieldProps extends Shared, Native<'input'> {
  value: string;
  onChange: (value: string) => void;
}

export function TextField({ label, labelHidden, note, error, quiet, mono, value, onChange, ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, labelHidden, note, error, quiet }}>
      {(ids) => (
        <input
          type="text"
          {...rest}
          {...ids}
          className={clsx(styles.control, mono && styles.mono)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends Shared, Native<'textarea'> {
  value: string;
  onChange: (value: string) => void;
}

export function TextArea({ label, labelHidden, note, error, quiet, mono, value, onChange, rows = 4, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, labelHidden, note, error, quiet }}>
      {(ids) => (
        <textarea
          {...rest}
          {...ids}
          rows={rows}
          className={clsx(styles.control, styles.area, mono && styles.mono)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<V extends string> extends Shared, Native<'select'> {
  value: V;
  onChange: (value: V) => void;
  options: { value: V; label: string; disabled?: boolean }[];
}

/** The platform's own list: it works on phones and by keyboard, and needs no injected style. */
export function Select<V extends string>({ label, labelHidden, note, error, quiet, mono, value, onChange, options, ...rest }: SelectProps<V>) {
  return (
    <Field {...{ label, labelHidden, note, error, quiet }}>
      {(ids) => (
        <select
          {...rest}
          {...ids}
          className={clsx(styles.control, mono && styles.mono)}
          value={value}
          onChange={(event) => onChange(event.target.value as V)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
