import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';
import styles from './overlay.module.css';

interface OverlayProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  /** Without padding, for content that brings its own. */
  flush?: boolean;
  /** ⌘ or Ctrl with Enter, from anywhere in it. */
  onSubmitKey?: () => void;
  children: ReactNode;
}

const isSubmit = (event: KeyboardEvent) => event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !event.nativeEvent.isComposing;

/** The field that a person comes for takes the focus, else the dialog itself: never the button that closes. */
function focusFirst(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  event.preventDefault();
  (content.querySelector<HTMLElement>('[data-first-focus]') ?? content).focus();
}

/**
 * The scrim is our own element: the primitive's overlay brings a scroll lock that writes a <style>
 * element, which the content security policy forbids.
 */
function Overlay({ shape, title, description, footer, flush, onSubmitKey, children, open, onOpenChange }: OverlayProps & { shape: string }) {
  const { t } = useTranslation();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <div className={styles.scrim} />
        <Primitive.Content
          className={shape}
          tabIndex={-1}
          onOpenAutoFocus={focusFirst}
          onKeyDown={(event) => isSubmit(event) && onSubmitKey?.()}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className={styles.head}>
            <Primitive.Title className={styles.title}>{title}</Primitive.Title>
            <Primitive.Close asChild>
              <IconButton label={t('close')} icon={<X size={16} />} />
            </Primitive.Close>
          </div>
          {description && <Primitive.Description className={styles.description}>{description}</Primitive.Description>}
          <div className={clsx(styles.body, flush && styles.flush)}>{children}</div>
          {footer && <div className={styles.foot}>{footer}</div>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** A question or a form in front of the page; takes the focus and gives it back. */
export function Dialog({ size = 'md', ...rest }: OverlayProps & { size?: 'sm' | 'md' | 'lg' }) {
  return <Overlay {...rest} shape={clsx(styles.dialog, styles[size])} />;
}

/** A panel from the right edge, for what belongs beside the page. */
export function Sheet(props: OverlayProps) {
  return <Overlay {...props} shape={styles.sheet ?? ''} />;
}
