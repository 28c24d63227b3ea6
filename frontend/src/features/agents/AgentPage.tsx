import { useQuery } from '@tanstack/react-query';
import { Copy, Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { agentQuery } from '../../api/agents';
import type { Agent } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Badge } from '../../ui/badges';
import { ButtonLink } from '../../ui/Button';
import { Page, Section } from '../../ui/page';
import { StartLink } from '../../ui/StartLink';
import { EmptyState, ErrorState, Skeleton, throwMissing } from '../../ui/states';
import { AgentDefinition } from './AgentDefinition';
import { AgentSessions } from './AgentSessions';
import styles from './agents.module.css';
import { ToolEntry } from './ToolEntry';
import { VersionTable } from './VersionTable';

/** Where it comes from, and which version new sessions get. */
function Standing({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents');
  return (
    <p className={styles.standing}>
      <Badge>{t(`origin.${agent.origin}`)}</Badge>
      <span>{agent.published === null ? t('nothingPublished') : t('newSessionsGet', { version: agent.published })}</span>
      {agent.published !== null && agent.newest > agent.published && <span>{t('newerNotPublished', { version: agent.newest })}</span>}
    </p>
  );
}

/** Who may edit gets the way to the editor: to the agent itself, or to a copy of what comes from code. */
function EditLink({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents');
  const { can } = useMe();
  if (!can.edit) return null;
  if (agent.origin === 'console') {
    return (
      <ButtonLink to={`/agents/${agent.slug}/edit`} icon={<Pencil size={14} />}>
        {t('edit')}
      </ButtonLink>
    );
  }
  return (
    <ButtonLink to={`/agents/new?from=${agent.slug}`} icon={<Copy size={14} />}>
      {t('copyAndEdit')}
    </ButtonLink>
  );
}

/** One agent: what it is made of, its tools and what they may do, its sessions and versions. */
export function AgentPage({ slug }: { slug: string }) {
  const { t } = useTranslation('agents');
  const query = useQuery(agentQuery(slug));
  const agent = query.data;
  throwMissing(query.error);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!agent) return <Skeleton />;
  return (
    <Page
      title={agent.name}
      crumbs={[{ label: t('title'), to: '/agents' }]}
      actions={
        <>
          <EditLink agent={agent} />
          {agent.published !== null && (
            <StartLink to={`/agents/${slug}?start=${slug}`} variant="primary">
              {t('start')}
            </StartLink>
          )}
        </>
      }
    >
      <Standing agent={agent} />
      {agent.description && <p>{agent.description}</p>}
      <AgentDefinition agent={agent} />
      <Section title={t('tools')}>
        {agent.tools.length === 0 ? (
          <EmptyState title={t('noTools')} />
        ) : (
          agent.tools.map((tool) => <ToolEntry key={tool.name} tool={tool} />)
        )}
      </Section>
      <AgentSessions slug={slug} total={agent.sessions.total} />
      <VersionTable agent={agent} />
    </Page>
  );
}
