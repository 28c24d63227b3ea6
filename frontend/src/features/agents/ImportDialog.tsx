import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { importAgent } from '../../api/agent-versions';
import { ApiError } from '../../api/errors';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextArea, TextField } from '../../ui/fields';
import { MOD } from '../../ui/keyboard/modifier';
import { useToast } from '../../ui/toast-context';
import { Checkbox } from '../../ui/toggles';
import styles from './agents.module.css';

function Refusal({ error }: { error: Error }) {
  const fields = error instanceof ApiError ? error.fields : [];
  return (
    <div className={styles.problem} role="alert">
      {fields.length === 0 && <p>{error.message}</p>}
      {fields.map(({ field, message }) => (
        <p key={`${field} ${message}`}>
          <code>{field}</code> {message}
        </p>
      ))}
    </div>
  );
}

/** Makes an agent, or the next version of one, from YAML: pasted, or read from a file. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['agents', 'common']);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [publish, setPublish] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const form = useId();
  const bring = useMutation({
    mutationFn: () => importAgent({ yaml: text, note: note.trim(), publish }),
    onSuccess: async ({ slug, name, result }) => {
      await queries.invalidateQueries({ queryKey: ['agents'] });
      toast({ text: t(`import.${result}`, { name }) });
      void navigate(`/agents/${slug}`);
    },
  });
  const reason = text.trim() === '' ? t('import.emptyYet') : null;
  const send = () => {
    if (reason === null && !bring.isPending) bring.mutate();
  };
  const change = (next: string) => {
    setText(next);
    bring.reset();
  };
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    if (chosen) change(await chosen.text());
    event.target.value = '';
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('import.title')}
      onSubmitKey={send}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={form} variant="primary" kbd={`${MOD}↵`} busy={bring.isPending} disabledReason={reason}>
            {t('import.do')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className={styles.muted}>{t('import.hint')}</p>
        <div>
          <input ref={file} type="file" accept=".yaml,.yml,text/yaml,application/yaml" hidden tabIndex={-1} onChange={(event) => void take(event)} />
          <Button icon={<Upload size={14} />} onClick={() => file.current?.click()}>
            {t('import.file')}
          </Button>
        </div>
        <TextArea label={t('import.text')} data-first-focus mono rows={12} wrap="off" spellCheck={false} value={text} onChange={change} />
        <TextField label={t('note')} note={t('noteHint')} maxLength={500} value={note} onChange={setNote} autoComplete="off" />
        <Checkbox label={t('import.publish')} checked={publish} onChange={setPublish} />
        {bring.error && <Refusal error={bring.error} />}
      </form>
    </Dialog>
  );
}
