import { Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import styles from '../header/SessionHeader.module.css';
import { useSessionScope } from '../context';
import { ActsOnLive } from './ActsOnLive';

interface CancelDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  busy: boolean;
  onCancel: (reason: string) => void;
}

/** Says what is in flight and may still take effect, before the session is ended. */
export function CancelDialog({ open, onOpenChange, busy, onCancel }: CancelDialogProps) {
  const { t } = useTranslation(['session', 'common']);
  const { rows } = useSessionScope();
  const [reason, setReason] = useState('');
  const inFlight = open ? rows.rows.filter((row) => row.kind === 'tool' && row.state === 'open') : [];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={t('control.cancelTitle')}
      description={t('control.cancelText')}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{t('control.keep')}</Button>
          <Button variant="danger" icon={<Square size={14} />} busy={busy} onClick={() => onCancel(reason)}>
            {t('control.cancel')}
          </Button>
        </>
      }
    >
      <div className={styles.notice}>
        <ActsOnLive />
        {inFlight.map((row) => (
          <p key={row.seq}>{t('control.inFlight', { tool: row.name, seq: row.seq })}</p>
        ))}
        <TextField label={t('control.reason')} value={reason} onChange={setReason} />
      </div>
    </Dialog>
  );
}
