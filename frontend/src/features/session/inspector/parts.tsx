import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogEvent } from '../../../api/types';
import { formatCount } from '../../../ui/format';
import { JsonTree } from '../../../ui/JsonTree';
import { PlainText } from '../../../ui/PlainText';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states';
import { useSessionScope } from '../context';
import styles from './inspector.module.css';
import { isHidden, parseContent } from './payload';

/** A labelled part of a tab. */
export function Part({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <span className={styles.label}>{label}</span>
      {children}
    </div>
  );
}

/** A link to another event of this session: selects it, and leaves the playhead where it is. */
export function EventRef({ seq }: { seq: number }) {
  const { select } = useSessionScope();
  return (
    <button type="button" className={styles.ref} onClick={() => select(seq)}>
      #{formatCount(seq)}
    </button>
  );
}

/** Content of a tool or a model: JSON as a tree, text exactly as it is. */
export function Content({ text }: { text: string }) {
  const json = parseContent(text);
  if (json !== null) return <JsonTree value={json} />;
  return <PlainText>{text}</PlainText>;
}

export function useBody(seq: number | undefined): UseQueryResult<LogEvent, Error> {
  const { source } = useSessionScope();
  return useQuery({ ...source.event(seq ?? 0), enabled: seq !== undefined });
}

/** Waits for a body, and says so when it was left out or cannot be read. */
export function Body({ query, children }: { query: UseQueryResult<LogEvent, Error>; children: (event: LogEvent) => ReactNode }) {
  const { t } = useTranslation('session');
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton rows={5} />;
  if (isHidden(query.data)) return <EmptyState title={t('hiddenPart')} />;
  return children(query.data);
}
