import { useQuery } from '@tanstack/react-query';
import { FileInput, Plus } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { agentListQuery } from '../../api/agents';
import type { Agent } from '../../api/types';
import { useAgentLabel } from '../../api/use-agent-label';
import { useMe } from '../../api/use-me';
import { Badge } from '../../ui/badges';
import { Button, ButtonLink } from '../../ui/Button';
import { Count } from '../../ui/figures';
import { Page, Section } from '../../ui/page';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { type Column, Table } from '../../ui/Table';
import { useRowKeys } from '../../ui/use-row-keys';
import { useSearch } from '../../ui/use-search';
import { StartLink } from '../../ui/StartLink';
import styles from './agents.module.css';
import { WrongPlugins } from './WrongPlugins';

function useColumns(): Column<Agent>[] {
  const { t } = useTranslation('agents');
  const label = useAgentLabel();
  return [
    {
      key: 'name',
      header: t('agent'),
      main: true,
      cell: (agent) => (
        <span className={styles.two}>
          <span className={styles.named}>
            <Link to={`/agents/${agent.slug}`} data-row={agent.slug}>
              {label(agent.slug, agent.name)}
            </Link>
            <Badge>{t(`origin.${agent.origin}`)}</Badge>
          </span>
          <span className={styles.muted}>{agent.description}</span>
        </span>
      ),
    },
    { key: 'version', header: t('version'), align: 'end', cell: (agent) => (agent.published === null ? <span className={styles.muted}>{t('draftOnly')}</span> : `v${agent.published}`) },
    { key: 'model', header: t('model'), wideOnly: true, cell: (agent) => <code>{agent.model}</code> },
    {
      key: 'tools',
      header: t('tools'),
      align: 'end',
      wideOnly: true,
      cell: (agent) => <Count value={agent.tools.length} />,
    },
    { key: 'running', header: t('running'), align: 'end', wideOnly: true, cell: (agent) => <Count value={agent.sessions.running} /> },
    {
      key: 'total',
      header: t('sessions'),
      align: 'end',
      wideOnly: true,
      cell: (agent) => (
        <Link to={`/sessions?agent=${agent.slug}`}>
          <Count value={agent.sessions.total} />
        </Link>
      ),
    },
    {
      key: 'start',
      header: t('start'),
      headerHidden: true,
      align: 'end',
      cell: (agent) =>
        // What is not published starts from its editor only.
        agent.published !== null && <StartLink to={`/agents?start=${agent.slug}`}>{t('start')}</StartLink>,
    },
  ];
}

const ImportDialog = lazy(async () => ({ default: (await import('./ImportDialog')).ImportDialog }));

/** Who may edit makes agents here; for others there is nothing to press. */
function MakeActions({ onImport }: { onImport: () => void }) {
  const { t } = useTranslation('agents');
  const { can } = useMe();
  if (!can.edit) return null;
  return (
    <>
      <Button icon={<FileInput size={14} />} onClick={onImport}>
        {t('import.open')}
      </Button>
      <ButtonLink to="/agents/new" variant="primary" icon={<Plus size={14} />}>
        {t('newAgent')}
      </ButtonLink>
    </>
  );
}

/** Every agent of the workspace. */
export function AgentsPage() {
  const { t } = useTranslation('agents');
  const { can } = useMe();
  const [search, edit] = useSearch();
  const agents = useQuery(agentListQuery);
  const list = useRef<HTMLDivElement>(null);
  const columns = useColumns();
  useRowKeys(list, 'agents', agents.isSuccess);
  const showImport = (on: boolean) =>
    edit((now) => {
      if (on) now.set('import', '1');
      else now.delete('import');
      return now;
    });
  return (
    <Page title={t('title')} actions={<MakeActions onImport={() => showImport(true)} />}>
      {can.edit && search.has('import') && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => showImport(false)} />
        </Suspense>
      )}
      <WrongPlugins />
      <Section title={t('all')}>
        <div ref={list}>
          {agents.isError && <ErrorState error={agents.error} onRetry={() => void agents.refetch()} />}
          {agents.isPending && <Skeleton rows={4} />}
          {agents.data?.items.length === 0 && <EmptyState title={t('none')}>{can.edit ? t('noneHintEditor') : t('noneHint')}</EmptyState>}
          {agents.data && agents.data.items.length > 0 && (
            <Table label={t('title')} columns={columns} rows={agents.data.items.toSorted((a, b) => a.name.localeCompare(b.name))} rowKey={(agent) => agent.slug} stack />
          )}
        </div>
      </Section>
    </Page>
  );
}
