import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { versionQuery } from '../../api/agent-versions';
import { agentQuery } from '../../api/agents';
import type { AgentVersionWhole } from '../../api/types';
import { ButtonLink } from '../../ui/Button';
import { Time } from '../../ui/figures';
import { Page, Section } from '../../ui/page';
import { ErrorState, Skeleton, throwMissing } from '../../ui/states';
import styles from './agents.module.css';
import { Changes } from './Changes';

function About({ version, published }: { version: AgentVersionWhole; published: number | null }) {
  const { t } = useTranslation('agents');
  const mark = version.version === published ? ` · ${t('published')}` : '';
  return (
    <p className={styles.standing}>
      <strong>v{version.version}</strong>
      <span>
        {version.by ?? t('fromCode')} · <Time at={version.created_at} />
        {mark}
      </span>
      {version.note && <span>{version.note}</span>}
    </p>
  );
}

/** What changed between two versions of an agent. */
export function VersionDiffPage({ slug, before, after }: { slug: string; before: number; after: number }) {
  const { t } = useTranslation('agents');
  const agent = useQuery(agentQuery(slug));
  const old = useQuery(versionQuery(slug, before));
  const now = useQuery(versionQuery(slug, after));
  const error = agent.error ?? old.error ?? now.error;
  throwMissing(error);
  if (error) return <ErrorState error={error} onRetry={() => void Promise.all([agent.refetch(), old.refetch(), now.refetch()])} />;
  if (!agent.data || !old.data || !now.data) return <Skeleton />;
  return (
    <Page
      title={t('diffTitle', { name: agent.data.name, before, after })}
      crumbs={[
        { label: t('title'), to: '/agents' },
        { label: agent.data.name, to: `/agents/${slug}` },
      ]}
      actions={
        <ButtonLink to={`/agents/${slug}/diff/${after}..${before}`} icon={<ArrowLeftRight size={14} />}>
          {t('compare.swap')}
        </ButtonLink>
      }
    >
      <div className={styles.sides}>
        <About version={old.data} published={agent.data.published} />
        <About version={now.data} published={agent.data.published} />
      </div>
      <Section title={t('changes.title')}>
        <Changes before={old.data.definition} after={now.data.definition} />
      </Section>
    </Page>
  );
}
