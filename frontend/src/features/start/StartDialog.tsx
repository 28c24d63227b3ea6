import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { agentListQuery } from '../../api/agents';
import { createSession, sessionKeys } from '../../api/sessions';
import type { Agent, Session } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Dialog } from '../../ui/Dialog';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { StartFooter } from './StartFooter';
import { type Draft, emptyDraft, StartForm, toNewSession } from './StartForm';

interface StartDialogProps {
  /** The agent that is chosen at first, by slug; empty when the person is to choose. */
  slug: string;
  input?: string;
  onClose: () => void;
  onStarted: (session: Session) => void;
}

function Loaded({ agents, slug, input = '', onClose, onStarted }: StartDialogProps & { agents: Agent[] }) {
  const { t } = useTranslation('start');
  const me = useMe();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(agents.find((agent) => agent.slug === slug) ?? agents[0], input));
  const start = useMutation({
    mutationFn: () => createSession(toNewSession(draft, agents.find((agent) => agent.slug === draft.slug))),
    onSuccess: (session) => {
      queries.setQueryData(sessionKeys.one(session.id), session);
      void queries.invalidateQueries({ queryKey: [...sessionKeys.all, 'list'] });
      onStarted(session);
    },
  });
  const blocked = me.can.operate ? (draft.input.trim() ? null : t('askFirst')) : t('mayNot');
  const submit = () => {
    if (!blocked && !start.isPending) start.mutate();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('title')}
      onSubmitKey={submit}
      footer={<StartFooter blocked={blocked} busy={start.isPending} onClose={onClose} />}
    >
      <StartForm agents={agents} draft={draft} onChange={setDraft} onSubmit={submit} error={start.error} />
    </Dialog>
  );
}

/** Asks what an agent is to do, and starts a session. The scripted model is chosen unless a person chooses another. */
export function StartDialog(props: StartDialogProps) {
  const { t } = useTranslation('start');
  const agents = useQuery(agentListQuery);
  // What is not published starts from its editor only.
  const startable = (agents.data?.items ?? []).filter(({ published }) => published !== null).toSorted((a, b) => a.name.localeCompare(b.name));
  if (startable.length > 0) return <Loaded {...props} agents={startable} />;
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title={t('title')}>
      {agents.isPending && <Skeleton rows={4} />}
      {agents.isError && <ErrorState error={agents.error} onRetry={() => void agents.refetch()} />}
      {agents.data && <EmptyState title={t('noAgents')}>{t('noAgentsHint')}</EmptyState>}
    </Dialog>
  );
}
