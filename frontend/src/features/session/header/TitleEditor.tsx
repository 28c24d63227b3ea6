import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Pencil, X } from 'lucide-react';
import { type FormEvent, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionKeys, updateSession } from '../../../api/sessions';
import type { Session } from '../../../api/types';
import { plainText } from '../../../model/hidden-text';
import { IconButton } from '../../../ui/Button';
import { TextField } from '../../../ui/fields';
import { PlainText } from '../../../ui/PlainText';
import { useToast } from '../../../ui/toast-context';
import { useErrorText } from '../../../ui/use-error-text';
import styles from './SessionHeader.module.css';

interface TitleEditorProps {
  session: Session;
  heading: RefObject<HTMLHeadingElement | null>;
  editable: boolean;
}

/** The title, and the way to change it in place. It stands beside the log, not in it. */
export function TitleEditor({ session, heading, editable }: TitleEditorProps) {
  const { t } = useTranslation(['session', 'common']);
  const tell = useErrorText();
  const queries = useQueryClient();
  const toast = useToast();
  const [draft, setDraft] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (title: string) => updateSession(session.id, { title }),
    onSuccess: (next) => {
      queries.setQueryData(sessionKeys.one(session.id), next);
      setDraft(null);
    },
    onError: (error) => toast({ text: tell(error), tone: 'failed' }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft?.trim()) rename.mutate(draft.trim());
  };
  if (draft !== null) {
    return (
      <div className={styles.title}>
        <form onSubmit={submit}>
          <TextField
            label={t('titleField')}
            labelHidden
            value={draft}
            onChange={setDraft}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field takes the place of the button that opened it
            autoFocus
            onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
          />
          <IconButton type="submit" label={t('common:save')} icon={<Check size={15} />} />
          <IconButton label={t('common:cancel')} icon={<X size={15} />} onClick={() => setDraft(null)} />
        </form>
      </div>
    );
  }
  return (
    <div className={styles.title}>
      <h1 ref={heading} tabIndex={-1} title={plainText(session.title)}>
        <PlainText>{session.title}</PlainText>
      </h1>
      {editable && <IconButton label={t('rename')} icon={<Pencil size={13} />} onClick={() => setDraft(session.title)} />}
    </div>
  );
}
