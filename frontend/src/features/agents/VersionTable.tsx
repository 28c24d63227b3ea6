import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { versionListQuery } from '../../api/agent-versions';
import type { Agent, AgentVersion } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Badge } from '../../ui/badges';
import { Button, ButtonLink } from '../../ui/Button';
import { Select } from '../../ui/fields';
import { Count, Time } from '../../ui/figures';
import { Section } from '../../ui/page';
import { ErrorState, Skeleton } from '../../ui/states';
import { type Column, Table } from '../../ui/Table';
import styles from './agents.module.css';
import { PublishDialog } from './PublishDialog';

function useColumns(agent: Agent, onPublish: (version: number) => void): Column<AgentVersion>[] {
  const { t } = useTranslation('agents');
  const { can } = useMe();
  const columns: Column<AgentVersion>[] = [
    {
      key: 'version',
      header: t('version'),
      main: true,
      cell: ({ version, published }) => (
        <span className={styles.version}>
          <Link to={`/agents/${agent.slug}/v/${version}`}>v{version}</Link>
          {published && (
            <Badge tone="ok" icon={<CircleCheck size={13} aria-hidden="true" />}>
              {t('published')}
            </Badge>
          )}
        </span>
      ),
    },
    { key: 'note', header: t('note'), cell: ({ note }) => (note ? <span className={styles.noteText}>{note}</span> : <span className={styles.muted}>—</span>) },
    { key: 'by', header: t('by'), cell: ({ by }) => by ?? t('fromCode') },
    { key: 'created', header: t('created'), cell: ({ created_at }) => <Time at={created_at} /> },
    { key: 'sessions', header: t('sessions'), align: 'end', wideOnly: true, cell: ({ sessions }) => <Count value={sessions} /> },
  ];
  if (!can.edit || agent.origin === 'code') return columns;
  return [
    ...columns,
    {
      key: 'acts',
      header: t('acts'),
      headerHidden: true,
      align: 'end',
      cell: ({ version, published }) => (
        <span className={styles.acts}>
          <ButtonLink to={`/agents/${agent.slug}/edit?v=${version}`}>{t('edit')}</ButtonLink>
          {!published && (
            <Button onClick={() => onPublish(version)}>{agent.published !== null && version < agent.published ? t('publish.back', { version }) : t('publish.do', { version })}</Button>
          )}
        </span>
      ),
    },
  ];
}

/** Chooses two versions to compare. */
function CompareTwo({ slug, versions }: { slug: string; versions: AgentVersion[] }) {
  const { t } = useTranslation('agents');
  const [pair, setPair] = useState<[string, string] | null>(null);
  const [before, after] = pair ?? [String(versions[1]?.version), String(versions[0]?.version)];
  const options = versions.map(({ version, note }) => ({ value: String(version), label: note ? `v${version} · ${note.slice(0, 40)}` : `v${version}` }));
  return (
    <div className={styles.compare}>
      <Select label={t('compare.before')} value={before} onChange={(next) => setPair([next, after])} options={options} />
      <Select label={t('compare.after')} value={after} onChange={(next) => setPair([before, next])} options={options} />
      <ButtonLink to={`/agents/${slug}/diff/${before}..${after}`}>{t('compare.do')}</ButtonLink>
    </div>
  );
}

/** Every version with its note, who made it and when, which one new sessions get, and what can be done with it. */
export function VersionTable({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents');
  const [publishing, setPublishing] = useState<number | null>(null);
  const query = useQuery(versionListQuery(agent.slug));
  const columns = useColumns(agent, setPublishing);
  const versions = query.data?.items ?? [];
  return (
    <Section title={t('versions')}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={3} />}
      {versions.length > 0 && <Table label={t('versions')} columns={columns} rows={versions} rowKey={({ version }) => String(version)} stack />}
      {query.data?.next && <p className={styles.more}>{t('moreVersions', { count: versions.length })}</p>}
      {versions.length > 1 && <CompareTwo slug={agent.slug} versions={versions} />}
      {publishing !== null && (
        <PublishDialog slug={agent.slug} version={publishing} published={agent.published} onClose={() => setPublishing(null)} />
      )}
    </Section>
  );
}
