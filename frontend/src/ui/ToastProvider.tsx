import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { type ReactNode, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from './Button';
import styles from './Toast.module.css';
import { ToastContext, type ToastMessage } from './toast-context';

export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<(ToastMessage & { id: number })[]>([]);
  const show = useCallback((message: ToastMessage) => {
    setShown((before) => [...before.slice(-2), { ...message, id: (before.at(-1)?.id ?? 0) + 1 }]);
  }, []);
  const drop = (id: number) => setShown((before) => before.filter((each) => each.id !== id));
  return (
    <ToastContext value={show}>
      <Toast.Provider duration={5000} swipeDirection="right">
        {children}
        {shown.map(({ id, text, tone, action }) => (
          <Toast.Root
            key={id}
            className={clsx(styles.toast, tone === 'failed' && styles.failed)}
            type={tone === 'failed' ? 'foreground' : 'background'}
            onOpenChange={(open) => !open && drop(id)}
          >
            <Toast.Description className={styles.text}>{text}</Toast.Description>
            {action && (
              <Toast.Action asChild altText={action.label}>
                <Button variant="quiet" onClick={action.onClick}>
                  {action.label}
                </Button>
              </Toast.Action>
            )}
            <Toast.Close asChild>
              <IconButton label={t('close')} icon={<X size={14} />} />
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className={styles.viewport} />
      </Toast.Provider>
    </ToastContext>
  );
}
