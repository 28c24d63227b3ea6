import { type FormEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors';
import type { Agent, NewSession } from '../../api/types';
import { agentLabels } from '../../model/agent-label';
import { Select, TextArea, TextField } from '../../ui/fields';
import { useErrorText } from '../../ui/use-error-text';
import { ModelChoice } from './ModelChoice';
import styles from './start.module.css';

export interface Draft {
  slug: string;
  input: string;
  title: string;
  model: string;
}

export const defaultModel = (agent: Agent | undefined): string =>
  agent?.models.find((model) => model.default)?.name ?? agent?.model ?? '';

export const emptyDraft = (agent: Agent | undefined, input: string): Draft => ({
  slug: agent?.slug ?? '',
  input,
  title: '',
  model: defaultModel(agent),
});

/** The request of a draft; the agent's own model is not sent as an override. */
export function toNewSession(draft: Draft, agent?: Agent): NewSession {
  const own = draft.model === '' || draft.model === defaultModel(agent);
  return {
    agent: draft.slug,
    input: draft.input.trim(),
    ...(draft.title.trim() ? { title: draft.title.trim() } : {}),
    ...(own ? {} : { overrides: { model: draft.model } }),
  };
}

/** The fields that show what is wrong with them. */
const PLACED = ['input', 'title'];

interface StartFormProps {
  agents: Agent[];
  draft: Draft;
  onChange: (draft: Draft) => void;
  onSubmit: () => void;
  error: Error | null;
}

function Samples({ samples, onPick }: { samples: string[]; onPick: (text: string) => void }) {
  const { t } = useTranslation('start');
  const id = useId();
  if (samples.length === 0) return null;
  return (
    <div className={styles.samples} role="group" aria-labelledby={id}>
      <span id={id} className={styles.note}>
        {t('samples')}
      </span>
      {samples.map((sample) => (
        <button key={sample} type="button" className={styles.sample} onClick={() => onPick(sample)}>
          {sample}
        </button>
      ))}
    </div>
  );
}

export function StartForm({ agents, draft, onChange, onSubmit, error }: StartFormProps) {
  const { t } = useTranslation('start');
  const tell = useErrorText();
  const agent = agents.find((each) => each.slug === draft.slug);
  const label = agentLabels(agents);
  const fields = error instanceof ApiError ? error.fields : [];
  const errorOf = (name: string) => fields.find((each) => each.field.endsWith(name))?.message ?? null;
  // What the form has no field for: the agent's strategy, say, whose code is not there.
  const others = fields.filter((each) => !PLACED.some((name) => each.field.endsWith(name)));
  const choose = (slug: string) => onChange({ ...draft, slug, model: defaultModel(agents.find((each) => each.slug === slug)) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id="start-session" className={styles.form} onSubmit={submit}>
      <Select label={t('agent')} value={draft.slug} onChange={choose} options={agents.map(({ slug, name }) => ({ value: slug, label: label(slug, name) }))} />
      {agent?.description && <p className={styles.note}>{agent.description}</p>}
      <TextArea
        label={t('question')}
        data-first-focus
        rows={4}
        value={draft.input}
        onChange={(input) => onChange({ ...draft, input })}
        error={errorOf('input')}
      />
      <Samples samples={agent?.samples ?? []} onPick={(input) => onChange({ ...draft, input })} />
      <TextField label={t('name')} note={t('nameNote')} value={draft.title} onChange={(title) => onChange({ ...draft, title })} error={errorOf('title')} />
      <ModelChoice models={agent?.models ?? []} value={draft.model} onChange={(model) => onChange({ ...draft, model })} />
      {error && (fields.length === 0 || others.length > 0) && (
        <p className={styles.error} role="alert">
          {others.length > 0 ? others.map((each) => each.message).join(' ') : tell(error)}
        </p>
      )}
    </form>
  );
}
