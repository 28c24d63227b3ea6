import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { versionQuery } from '../../../api/agent-versions';
import type { AgentVersion, JsonObject } from '../../../api/types';
import { Select } from '../../../ui/fields';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states';
import { Changes } from '../Changes';
import styles from './editor.module.css';

interface ChangesPaneProps {
  slug: string | null;
  definition: JsonObject;
  versions: AgentVersion[];
  /** The version that is compared with. */
  against: number | null;
  onAgainst: (version: number) => void;
}

/** What the draft changes, against any version. */
export function ChangesPane({ slug, definition, versions, against, onAgainst }: ChangesPaneProps) {
  const { t } = useTranslation('editor');
  const query = useQuery({ ...versionQuery(slug ?? '', against ?? 0), enabled: slug !== null && against !== null });
  if (slug === null || against === null) return <EmptyState title={t('nothingToCompare')} />;
  return (
    <>
      <div className={styles.fields}>
        <Select
          label={t('against')}
          value={String(against)}
          onChange={(value) => onAgainst(Number(value))}
          options={versions.map(({ version, note, published }) => ({
            value: String(version),
            label: [`v${version}`, published ? t('published') : '', note].filter(Boolean).join(' · '),
          }))}
        />
      </div>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton rows={6} />}
      {query.data && <Changes before={query.data.definition} after={definition} />}
    </>
  );
}
