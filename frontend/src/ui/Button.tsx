import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './Button.module.css';
import { Kbd } from './Kbd';
import { Tooltip } from './Tooltip';

/**
 * `act` is for what makes an agent do or stop something; `default` and `quiet` only read or navigate;
 * `primary` at most once per screen.
 */
export type ButtonVariant = 'default' | 'quiet' | 'act' | 'primary' | 'danger';

interface Looks {
  variant?: ButtonVariant;
  size?: 'md' | 'lg';
  icon?: ReactNode;
  kbd?: string;
  children?: ReactNode;
}

type NativeButton = Omit<ComponentProps<'button'>, 'className' | 'children' | 'disabled'>;

export interface ButtonProps extends Looks, NativeButton {
  disabled?: boolean;
  /** Why it cannot be used now. The button stays reachable, so that the reason can be read. */
  disabledReason?: string | null;
  busy?: boolean;
}

export function Button({ variant = 'default', size = 'md', icon, kbd, children, disabledReason, busy, ...rest }: ButtonProps) {
  const blocked = Boolean(disabledReason) || busy;
  const button = (
    <button
      type="button"
      {...rest}
      className={clsx(styles.button, styles[variant], size === 'lg' && styles.lg)}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      onClick={blocked ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon}
      {children}
      {kbd && <Kbd>{kbd}</Kbd>}
    </button>
  );
  return disabledReason ? <Tooltip text={disabledReason}>{button}</Tooltip> : button;
}

/** A button with an icon only; its label is its name for screen readers and its tooltip. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'md',
  kbd,
  disabledReason,
  side,
  ...rest
}: Omit<ButtonProps, 'children' | 'busy'> & { label: string; icon: ReactNode; side?: 'top' | 'right' | 'bottom' | 'left' }) {
  return (
    <Tooltip text={disabledReason ?? (kbd ? `${label} · ${kbd}` : label)} side={side}>
      <button
        type="button"
        {...rest}
        className={clsx(styles.button, styles.icon, styles[variant], size === 'lg' && styles.lg)}
        aria-label={label}
        aria-disabled={disabledReason ? true : undefined}
        onClick={disabledReason ? undefined : rest.onClick}
      >
        {icon}
      </button>
    </Tooltip>
  );
}

/** Looks like a button, is a link: it goes somewhere and changes nothing. */
export function ButtonLink({ to, variant = 'default', size = 'md', icon, kbd, children }: Looks & { to: string }) {
  return (
    <Link to={to} className={clsx(styles.button, styles[variant], size === 'lg' && styles.lg)}>
      {icon}
      {children}
      {kbd && <Kbd>{kbd}</Kbd>}
    </Link>
  );
}
