import { Save } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/errors';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { TextField } from '../../../ui/fields';
import { MOD } from '../../../ui/keyboard/modifier';
import { Checkbox } from '../../../ui/toggles';
import { useErrorText } from '../../../ui/use-error-text';
import { useUnderWay } from '../use-under-way';
import styles from './editor.module.css';
import { StaleNotice } from './StaleNotice';
import type { Subject } from './subject';
import type { Save as SaveRequest, Saved, useSave } from './use-save';

interface SaveDialogProps {
  subject: Subject;
  request: Pick<SaveRequest, 'definition' | 'base'>;
  saving: ReturnType<typeof useSave>;
  onClose: () => void;
  onSaved: (saved: Saved) => void;
  /** Shows the draft against a version that somebody else saved. */
  onCompare: (version: number) => void;
}

/** What saving changes for new sessions, and what it leaves alone. */
function Effect({ subject, publish }: { subject: Subject; publish: boolean }) {
  const { t } = useTranslation('editor');
  const { published, newest } = subject;
  const running = useUnderWay(subject.slug);
  const next = (newest ?? 0) + 1;
  if (!publish) return <p className={styles.note}>{published === null ? t('publishes.none') : t('publishes.not', { old: published })}</p>;
  return (
    <p className={styles.note}>
      {published === null ? t('publishes.first', { version: next }) : t('publishes.next', { version: next, old: published })}{' '}
      {running !== null && running > 0 && t('publishes.running', { count: running })}
    </p>
  );
}

/** Asks for a note, and says what publishing changes for new sessions and for those under way. */
export function SaveDialog({ subject, request, saving, onClose, onSaved, onCompare }: SaveDialogProps) {
  const { t } = useTranslation(['editor', 'common']);
  const tell = useErrorText();
  const { slug, newest } = subject;
  const next = (newest ?? 0) + 1;
  const [note, setNote] = useState('');
  const [publish, setPublish] = useState(slug === null);
  const form = useId();
  const stale = saving.error instanceof ApiError && saving.error.code === 'stale';
  const send = (base: number | null) => {
    if (!saving.isPending) saving.mutate({ ...request, base, note: note.trim(), publish }, { onSuccess: onSaved });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={slug === null ? t('saveNew') : t('saveAs', { version: next })}
      onSubmitKey={() => !stale && send(request.base)}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={form} variant="primary" icon={<Save size={14} />} kbd={`${MOD}↵`} busy={saving.isPending} disabledReason={stale ? t('stale.first') : null}>
            {publish ? t('saveAndPublish') : t('save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.dialogFields}
        onSubmit={(event) => {
          event.preventDefault();
          if (!stale) send(request.base);
        }}
      >
        <TextField label={t('note')} note={t('noteHint')} data-first-focus maxLength={500} value={note} onChange={setNote} autoComplete="off" />
        <Checkbox label={t('publishNow')} checked={publish} onChange={setPublish} />
        <Effect subject={subject} publish={publish} />
        {stale && slug !== null && <StaleNotice slug={slug} busy={saving.isPending} onCompare={onCompare} onAgain={send} />}
        {saving.error && !stale && (
          <div className={styles.problem} role="alert">
            <p>{tell(saving.error)}</p>
            {saving.error instanceof ApiError && saving.error.fields.map(({ field, message }) => <p key={field + message}>{`${field}: ${message}`}</p>)}
          </div>
        )}
      </form>
    </Dialog>
  );
}
