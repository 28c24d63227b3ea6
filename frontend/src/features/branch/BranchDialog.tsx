import { useMutation } from '@tanstack/react-query';
import { GitBranch } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createBranch } from '../../api/sessions';
import { ApiError } from '../../api/errors';
import type { BranchRequest, Session } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/fields';
import { formatCount } from '../../ui/format';
import { MOD } from '../../ui/keyboard/modifier';
import { ErrorState, Skeleton } from '../../ui/states';
import { useErrorText } from '../../ui/use-error-text';
import styles from './branch.module.css';
import { BranchSentence } from './BranchSentence';
import { ChangePart } from './ChangePart';
import { fatesOf } from './effects';
import { EffectsPart } from './EffectsPart';
import { type Draft, type Hindrance, planOf } from './plan';
import { costsOf, SettingsPart } from './SettingsPart';
import { editOf } from './subjects';
import { type Loaded, useBasis } from './use-basis';

interface BranchDialogProps {
  sessionId: string;
  seq: number;
  onClose: () => void;
  onBranched: (session: Session) => void;
}

const firstDraft = ({ basis, proposed }: Loaded): Draft => ({
  subject: proposed,
  edit: proposed && editOf(proposed),
  start: 'before',
  instructions: null,
  model: basis.model,
  version: null,
  params: '',
  effects: {},
  typed: {},
  title: '',
  why: '',
});

function useReason(hindrance: Hindrance | null): string | null {
  const { t } = useTranslation(['branch', 'common']);
  const me = useMe();
  if (!me.can.operate) return t('common:needsRole', { role: t('common:role.operator') });
  if (!hindrance) return null;
  if (hindrance.kind === 'confirm') return t('confirmFirst', { tools: hindrance.tools.join(', ') });
  return hindrance.kind === 'nothing' ? t('changeFirst') : t('mendJson');
}

function OpenDialog({ loaded, onClose, onBranched }: Pick<BranchDialogProps, 'onClose' | 'onBranched'> & { loaded: Loaded }) {
  const { t } = useTranslation(['branch', 'common', 'session']);
  const tell = useErrorText();
  const { session, agent, basis, event, subjects } = loaded;
  const [draft, setDraft] = useState(() => firstDraft(loaded));
  const plan = planOf(draft, basis);
  const reason = useReason(plan.hindrance);
  const branch = useMutation({
    mutationFn: (request: BranchRequest) => createBranch(session.id, request),
    onSuccess: ({ sessions: [made] }) => made && onBranched(made),
  });
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const send = () => {
    if (plan.request && reason === null && !branch.isPending) branch.mutate(plan.request);
  };
  const tool = typeof event.payload?.tool === 'string' ? ` · ${event.payload.tool}` : '';
  const title = t('from', { seq: formatCount(basis.seq), what: t(`session:type.${event.event_type as 'error'}`) + tool });
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={t('untouched')}
      onSubmitKey={send}
      footer={
        <>
          <BranchSentence fates={fatesOf(basis.tools, draft.effects)} model={draft.model} costs={costsOf(agent, draft.model)} />
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" icon={<GitBranch size={14} />} kbd={`${MOD}↵`} busy={branch.isPending} disabledReason={reason} onClick={send}>
            {t('create')}
          </Button>
        </>
      }
    >
      <div className={styles.parts}>
        <ChangePart subjects={subjects} draft={draft} onChange={change} hindrance={plan.hindrance} />
        <SettingsPart agent={agent} basis={basis} draft={draft} onChange={change} hindrance={plan.hindrance} />
        <EffectsPart tools={basis.tools} draft={draft} onChange={change} />
        <section className={styles.pair}>
          <TextField label={t('name')} note={t('optional')} value={draft.title} onChange={(text) => change({ title: text })} />
          <TextField label={t('why')} note={t('optional')} value={draft.why} onChange={(why) => change({ why })} />
        </section>
        {branch.error && (
          <p className={styles.error} role="alert">
            {tell(branch.error)}
            {branch.error instanceof ApiError && branch.error.fields.map(({ field, message }) => <span key={field}> {`${field}: ${message}`}</span>)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Runs on from a moment of a session, changed or not. The session itself is not touched. */
export function BranchDialog({ sessionId, seq, onClose, onBranched }: BranchDialogProps) {
  const { t } = useTranslation('branch');
  const { loaded, error, retry } = useBasis(sessionId, seq);
  if (loaded) return <OpenDialog key={seq} loaded={loaded} onClose={onClose} onBranched={onBranched} />;
  return (
    <Dialog open size="lg" onOpenChange={(open) => !open && onClose()} title={t('title')}>
      {error ? <ErrorState error={error} onRetry={retry} /> : <Skeleton rows={6} />}
    </Dialog>
  );
}
