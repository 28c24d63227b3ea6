import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { versionQuery, yamlAddress, yamlQuery } from '../../api/agent-versions';
import { agentQuery } from '../../api/agents';
import { useMe } from '../../api/use-me';
import { Badge } from '../../ui/badges';
import { Button, ButtonLink } from '../../ui/Button';
import { CopyButton } from '../../ui/CopyButton';
import { DownloadLink } from '../../ui/DownloadLink';
import { Time } from '../../ui/figures';
import { Page, Section } from '../../ui/page';
import { PlainText } from '../../ui/PlainText';
import { ErrorState, Skeleton, throwMissing } from '../../ui/states';
import styles from './agents.module.css';
import { PublishDialog } from './PublishDialog';

/** The version as a file: to read, to copy, to download. */
function Yaml({ slug, version }: { slug: string; version: number }) {
  const { t } = useTranslation('agents');
  const query = useQuery(yamlQuery(slug, version));
  return (
    <Section
      title={t('yaml')}
      aside={
        <span className={styles.acts}>
          {query.data !== undefined && <CopyButton text={query.data} label={t('copyYaml')} />}
          <DownloadLink href={yamlAddress(slug, version)} file={`${slug}-v${version}.yaml`}>
            {t('downloadYaml')}
          </DownloadLink>
        </span>
      }
    >
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={8} />}
      {query.data !== undefined && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
        <pre className={styles.yaml} tabIndex={0}>
          <PlainText>{query.data}</PlainText>
        </pre>
      )}
    </Section>
  );
}

/** One version: who made it, why, what it says, and what can be done with it. */
export function VersionPage({ slug, number }: { slug: string; number: number }) {
  const { t } = useTranslation('agents');
  const { can } = useMe();
  const [publishing, setPublishing] = useState(false);
  const agent = useQuery(agentQuery(slug));
  const version = useQuery(versionQuery(slug, number));
  throwMissing(agent.error ?? version.error);
  if (agent.error ?? version.error) return <ErrorState error={agent.error ?? version.error} onRetry={() => void Promise.all([agent.refetch(), version.refetch()])} />;
  if (!agent.data || !version.data) return <Skeleton />;
  const { published } = agent.data;
  const mine = can.edit && agent.data.origin === 'console';
  return (
    <Page
      title={t('versionTitle', { name: agent.data.name, version: number })}
      crumbs={[
        { label: t('title'), to: '/agents' },
        { label: agent.data.name, to: `/agents/${slug}` },
      ]}
      actions={
        <>
          {published !== null && published !== number && <ButtonLink to={`/agents/${slug}/diff/${published}..${number}`}>{t('compare.withPublished', { version: published })}</ButtonLink>}
          {mine && <ButtonLink to={`/agents/${slug}/edit?v=${number}`}>{t('edit')}</ButtonLink>}
          {can.edit && !mine && <ButtonLink to={`/agents/new?from=${slug}&v=${number}`}>{t('copyAndEdit')}</ButtonLink>}
          {mine && number !== published && (
            <Button variant="primary" onClick={() => setPublishing(true)}>
              {published !== null && number < published ? t('publish.back', { version: number }) : t('publish.do', { version: number })}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.standing}>
        {number === published ? (
          <Badge tone="ok" icon={<CircleCheck size={13} aria-hidden="true" />}>
            {t('published')}
          </Badge>
        ) : (
          <Badge>{t('notPublished')}</Badge>
        )}
        <span>
          {version.data.by ?? t('fromCode')} · <Time at={version.data.created_at} />
        </span>
        {version.data.note && <span>{version.data.note}</span>}
      </p>
      <Yaml slug={slug} version={number} />
      {publishing && <PublishDialog slug={slug} version={number} published={published} onClose={() => setPublishing(false)} />}
    </Page>
  );
}
