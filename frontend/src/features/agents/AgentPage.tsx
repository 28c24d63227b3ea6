import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { agentQuery } from '../../api/agents';
import type { Agent } from '../../api/types';
import { StartLink } from '../../ui/StartLink';
import { CopyButton } from '../../ui/CopyButton';
import { Time } from '../../ui/figures';
import { Page, Section } from '../../ui/page';
import { EmptyState, ErrorState, Skeleton, throwMissing } from '../../ui/states';
import { type Column, Table } from '../../ui/Table';
import { AgentDefinition } from './AgentDefinition';
import { AgentSessions } from './AgentSessions';
import { ToolEntry } from './ToolEntry';

type Version = NonNullable<Agent['versions']>[number];

function useVersionColumns(): Column<Version>[] {
  const { t } = useTranslation('agents');
  return [
    { key: 'version', header: t('version'), cell: (version) => `v${version.version}` },
    {
      key: 'digest',
      header: t('digest'),
      cell: (version) => (
        <>
          <code title={version.digest}>{version.digest.slice(0, 15)}…</code> <CopyButton text={version.digest} />
        </>
      ),
    },
    { key: 'created', header: t('created'), cell: (version) => <Time at={version.created_at} /> },
  ];
}

/** One agent, to read: what it is made of, its tools and what they may do, its versions and sessions. */
export function AgentPage({ slug }: { slug: string }) {
  const { t } = useTranslation('agents');
  const versions = useVersionColumns();
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
        <StartLink to={`/agents/${slug}?start=${slug}`} variant="primary">
          {t('start')}
        </StartLink>
      }
    >
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
      {agent.versions && (
        <Section title={t('versions')}>
          <Table label={t('versions')} columns={versions} rows={agent.versions} rowKey={(version) => String(version.version)} />
        </Section>
      )}
    </Page>
  );
}
