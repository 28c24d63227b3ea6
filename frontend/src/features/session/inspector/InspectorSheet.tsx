import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Sheet } from '../../../ui/Dialog';

/** The inspector where there is no room beside the list. */
export function InspectorSheet({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation('session');
  return (
    <Sheet open={open} onOpenChange={(next) => !next && onClose()} title={t('inspector')} flush>
      {children}
    </Sheet>
  );
}
