import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { createSession, sessionKeys } from '../../../api/sessions';
import { ApiError } from '../../../api/errors';
import { textOf } from '../../../model/definition';
import { Button } from '../../../ui/Button';
import { TextArea } from '../../../ui/fields';
import { MOD } from '../../../ui/keyboard/modifier';
import { EmptyState } from '../../../ui/states';
import { useErrorText } from '../../../ui/use-error-text';
import { useEditor } from './context';
import styles from './editor.module.css';
import panes from './panes.module.css';

interface TryPaneProps {
  /** The version that stands in the form unchanged; null when it has to be saved first. */
  saved: number | null;
  next: number;
  /** Why it cannot be saved and started now. */
  hindrance: string | null;
  /** Saves the draft as a version that is not published; gives slug and number. */
  save: () => Promise<{ slug: string; version: number }>;
  /** What the agent is asked; it outlives this pane. */
  input: string;
  onInput: (input: string) => void;
  session: string | null;
  onStarted: (slug: string, version: number, session: string, input: string) => void;
  renderSession: (id: string) => ReactNode;
}

/** Starts a session of exactly what is in the form, and shows it as it happens. */
export function TryPane({ saved, next, hindrance, save, input, onInput, session, onStarted, renderSession }: TryPaneProps) {
  const { t } = useTranslation('editor');
  const tell = useErrorText();
  const { definition } = useEditor();
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: async () => {
      const { slug, version } = await save();
      const made = await createSession({ agent: slug, version, input: input.trim() });
      queries.setQueryData(sessionKeys.one(made.id), made);
      return { slug, version, made };
    },
    onSuccess: ({ slug, version, made }) => onStarted(slug, version, made.id, input),
  });
  const samples = Array.isArray(definition.samples) ? definition.samples.map(textOf).filter((sample) => sample.trim() !== '') : [];
  const reason = hindrance ?? (input.trim() === '' ? t('try.askFirst') : null);
  const submit = () => {
    if (reason === null && !start.isPending) start.mutate();
  };
  return (
    <div className={panes.try}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextArea
          label={t('try.input')}
          rows={2}
          value={input}
          onChange={onInput}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
          }}
        />
        {samples.length > 0 && (
          <div className={panes.samples}>
            {samples.slice(0, 4).map((sample) => (
              <button key={sample} type="button" className={panes.sampleButton} onClick={() => onInput(sample)}>
                {sample}
              </button>
            ))}
          </div>
        )}
        <div className={panes.tryFoot}>
          <p className={styles.note}>{saved === null ? t('try.savesFirst', { version: next }) : t('try.runs', { version: saved })}</p>
          <Button type="submit" variant="act" icon={<Play size={14} />} kbd={`${MOD}↵`} busy={start.isPending} disabledReason={reason}>
            {t('try.start')}
          </Button>
        </div>
        {start.error && (
          <p className={styles.problem} role="alert">
            {tell(start.error)}
            {start.error instanceof ApiError && start.error.fields.map(({ field, message }) => <span key={field}>{` ${field}: ${message}`}</span>)}
          </p>
        )}
      </form>
      <div className={panes.session}>{session ? renderSession(session) : <EmptyState title={t('try.empty')}>{t('try.emptyHint')}</EmptyState>}</div>
    </div>
  );
}
