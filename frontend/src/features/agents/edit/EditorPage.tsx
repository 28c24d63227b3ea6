import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { versionQuery } from '../../../api/agent-versions';
import { agentListQuery, agentQuery } from '../../../api/agents';
import type { Agent, AgentParts, AgentVersionWhole } from '../../../api/types';
import { useMe } from '../../../api/use-me';
import { copySlug, starter } from '../../../model/definition';
import { ButtonLink } from '../../../ui/Button';
import { Page } from '../../../ui/page';
import { EmptyState, ErrorState, Skeleton, throwMissing } from '../../../ui/states';
import { Editor } from './Editor';
import type { Subject } from './subject';
import { useEditorUrl } from './url-state';
import { draftKey } from './use-draft';
import { useParts } from './use-parts';

interface PageProps {
  renderSession: (id: string) => ReactNode;
}

/** Why there is no form here, as a page. */
function Refused({ title, text, action }: { title: string; text: string; action?: ReactNode }) {
  const { t } = useTranslation('editor');
  return (
    <Page title={title} crumbs={[{ label: t('agents'), to: '/agents' }]}>
      <EmptyState title={text} action={action} />
    </Page>
  );
}

function useRoleNeeded(): string | null {
  const { t } = useTranslation('common');
  const { can, role } = useMe();
  return can.edit ? null : t('needsRoleYouAre', { role: t('role.editor'), mine: role ? t(`role.${role}`) : '—' });
}

const subjectOf = (agent: Agent, version: AgentVersionWhole): Subject => ({
  slug: agent.slug,
  name: agent.name,
  base: version.version,
  newest: agent.newest,
  published: agent.published,
  original: version.definition,
  copied: '',
  key: draftKey(agent.slug, version.version),
});

/** Edits an agent that people made, beginning with a version of it. */
export function EditorPage({ slug, renderSession }: PageProps & { slug: string }) {
  const { t } = useTranslation(['editor', 'common']);
  const { url } = useEditorUrl();
  const needs = useRoleNeeded();
  const agent = useQuery(agentQuery(slug));
  const base = url.version ?? agent.data?.newest ?? null;
  const version = useQuery({ ...versionQuery(slug, base ?? 0), enabled: base !== null && needs === null });
  const parts = useParts(needs === null);
  const error = agent.error ?? version.error ?? parts.error;
  throwMissing(agent.error ?? version.error);
  if (needs !== null) return <Refused title={t('title')} text={needs} />;
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([agent.refetch(), version.refetch(), parts.refetch()])} />;
  if (!agent.data || !version.data || !parts.data) return <Skeleton rows={16} />;
  if (agent.data.origin === 'code') {
    const copy = <ButtonLink to={`/agents/new?from=${slug}`}>{t('copyAndEdit')}</ButtonLink>;
    return <Refused title={agent.data.name} text={t('fromCode')} action={copy} />;
  }
  return <Editor subject={subjectOf(agent.data, version.data)} parts={parts.data} renderSession={renderSession} />;
}

function subjectOfNew(parts: AgentParts, agents: Agent[], from: Agent | undefined, version: AgentVersionWhole | undefined, copyName: string): Subject {
  const usual = parts.models.find((model) => model.default) ?? parts.models[0];
  const strategy = parts.strategies.find(({ name }) => name === 'function-calling') ?? parts.strategies[0];
  const blank = starter(usual?.name ?? '', strategy?.name ?? '');
  const slug = from ? copySlug(from.slug, agents.map((agent) => agent.slug)) : '';
  return {
    slug: null,
    name: '',
    base: null,
    newest: null,
    published: null,
    original: from && version ? { ...version.definition, slug, name: copyName } : blank,
    copied: from?.name ?? '',
    key: draftKey(null, version?.version ?? null, from?.slug),
  };
}

/** Makes an agent: from nothing, or (`?from=slug&v=2`) from a version of another one. */
export function NewAgentPage({ from, renderSession }: PageProps & { from: string | null }) {
  const { t } = useTranslation('editor');
  const { url } = useEditorUrl();
  const needs = useRoleNeeded();
  const parts = useParts(needs === null);
  const agents = useQuery({ ...agentListQuery, enabled: needs === null });
  const source = useQuery({ ...agentQuery(from ?? ''), enabled: from !== null && needs === null });
  const base = url.version ?? source.data?.version ?? null;
  const version = useQuery({ ...versionQuery(from ?? '', base ?? 0), enabled: from !== null && base !== null && needs === null });
  const error = parts.error ?? agents.error ?? source.error ?? version.error;
  throwMissing(source.error ?? version.error);
  if (needs !== null) return <Refused title={t('new')} text={needs} />;
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([parts.refetch(), agents.refetch(), source.refetch(), version.refetch()])} />;
  if (!parts.data || !agents.data || (from !== null && (!source.data || !version.data))) return <Skeleton rows={16} />;
  return <Editor subject={subjectOfNew(parts.data, agents.data.items, source.data, version.data, t('copyName', { name: source.data?.name ?? '' }))} parts={parts.data} renderSession={renderSession} />;
}
