import { useMutation } from '@tanstack/react-query';
import { Send, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sendMessage } from '../../../api/sessions';
import type { Session } from '../../../api/types';
import { Button, IconButton } from '../../../ui/Button';
import { TextArea } from '../../../ui/fields';
import { useToast } from '../../../ui/toast-context';
import { useErrorText } from '../../../ui/use-error-text';
import { useSessionScope } from '../context';
import { ActsOnLive } from './ActsOnLive';
import styles from './Composer.module.css';
import { isEnded } from './use-control';

/** The next message of a person: opens a run when none is going on, else waits for the end of this one. */
export function Composer({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation(['session', 'common']);
  const tell = useErrorText();
  const { playhead } = useSessionScope();
  const toast = useToast();
  const box = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () => sendMessage(session.id, text.trim()),
    onSuccess: (event) => {
      setText('');
      playhead.goLive();
      toast({ text: t('composer.sent', { seq: event.seq }) });
      onClose();
    },
  });
  useEffect(() => box.current?.querySelector('textarea')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && text.trim()) send.mutate();
  };
  return (
    <div className={styles.composer} ref={box}>
      <div className={styles.row}>
        <TextArea label={t('composer.label')} value={text} onChange={setText} rows={2} error={send.error && tell(send.error)} onKeyDown={onKeyDown} />
        <Button variant="primary" size="lg" icon={<Send size={14} />} busy={send.isPending} disabledReason={text.trim() ? null : t('composer.empty')} onClick={() => send.mutate()}>
          {t('composer.send')}
        </Button>
        <IconButton size="lg" label={t('common:close')} icon={<X size={16} />} onClick={onClose} />
      </div>
      <div className={styles.hint}>
        <span>{isEnded(session) ? t('composer.newRun') : t('composer.queued')}</span>
        <ActsOnLive />
      </div>
    </div>
  );
}
