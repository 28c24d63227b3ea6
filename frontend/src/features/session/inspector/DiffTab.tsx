import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Prompt, PromptMessage } from '../../../api/types';
import { printJson } from '../../../model/json';
import { messageText } from '../../../model/message-text';
import { diffPrompts, type PromptChange, type PromptDiff } from '../../../model/prompt-diff';
import { Button } from '../../../ui/Button';
import { DiffView } from '../../../ui/DiffView';
import { PlainText } from '../../../ui/PlainText';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states';
import { useSessionScope } from '../context';
import styles from './inspector.module.css';
import { EventRef, Part } from './parts';
import { MissingBlock } from './PromptTab';
import type { SessionSource } from '../source';

function Block({ sign, tone, item }: { sign: string; tone?: string; item: PromptMessage }) {
  if (item.missing) return <MissingBlock item={item} />;
  return (
    <div className={`${styles.message} ${tone ?? ''}`}>
      <div className={styles.messageHead}>
        <span className={styles.sign}>{sign}</span>
        <span className={styles.role}>{item.message.role}</span>
        <span className={styles.grow} />
        {item.origin && <EventRef seq={item.origin.seq} />}
      </div>
      <div className={styles.messageBody}>
        <PlainText>{messageText(item.message)}</PlainText>
      </div>
    </div>
  );
}

function Same({ messages }: { messages: PromptMessage[] }) {
  const { t } = useTranslation('session');
  const [open, setOpen] = useState(false);
  if (open) return messages.map((item, index) => <Block key={index} sign=" " item={item} />);
  return (
    <Button variant="quiet" onClick={() => setOpen(true)}>
      {t('diff.same', { count: messages.length })}
    </Button>
  );
}

function Change({ change }: { change: PromptChange }) {
  if (change.kind === 'same') return <Same messages={change.messages} />;
  if (change.kind === 'added') return <Block sign="+" tone={styles.added} item={change.message} />;
  if (change.kind === 'removed') return <Block sign="−" tone={styles.removed} item={change.message} />;
  return (
    <div className={styles.message}>
      <div className={styles.messageHead}>
        <span className={styles.sign}>±</span>
        <span className={styles.role}>{change.after.message.role}</span>
      </div>
      <DiffView before={messageText(change.before.message)} after={messageText(change.after.message)} />
    </div>
  );
}

/** One line that says what changed: "+2 messages, 1 changed, +1 tool; 97 % unchanged". */
function useSummary(diff: PromptDiff): string {
  const { t } = useTranslation('session');
  const parts = [
    diff.added > 0 && t('diff.added', { count: diff.added }),
    diff.removed > 0 && t('diff.removed', { count: diff.removed }),
    diff.changed > 0 && t('diff.changed', { count: diff.changed }),
    diff.toolsAdded.length > 0 && t('diff.toolsAdded', { names: diff.toolsAdded.join(', ') }),
    diff.toolsRemoved.length > 0 && t('diff.toolsRemoved', { names: diff.toolsRemoved.join(', ') }),
    diff.params.length > 0 && t('diff.params', { names: diff.params.map((param) => param.name).join(', ') }),
    diff.model && t('diff.model', diff.model),
  ];
  const said = parts.filter(Boolean).join(t('diff.comma'));
  return t('diff.summary', { changes: said || t('diff.nothing'), share: Math.round(diff.unchanged * 100) });
}

function DiffBody({ before, after }: { before: Prompt; after: Prompt }) {
  const { t } = useTranslation('session');
  const diff = useMemo(() => diffPrompts(before, after), [before, after]);
  const summary = useSummary(diff);
  return (
    <div className={styles.body}>
      <div className={styles.bar}>
        <span>{t('diff.against')}</span>
        <EventRef seq={before.seq} />
        <span>{summary}</span>
      </div>
      <div>
        {diff.changes.map((change, index) => (
          <Change key={index} change={change} />
        ))}
      </div>
      {diff.params.length > 0 && (
        <Part label={t('parameters')}>
          <DiffView before={printJson(before.params, 2)} after={printJson(after.params, 2)} />
        </Part>
      )}
    </div>
  );
}

function DiffOf({ request, read }: { request: number; read: NonNullable<SessionSource['prompt']> }) {
  const { t } = useTranslation('session');
  const after = useQuery(read(request));
  const previous = after.data?.previous ?? null;
  const before = useQuery({ ...read(previous ?? 0), enabled: previous !== null });
  const failed = after.error ?? before.error;
  if (failed) return <ErrorState error={failed} onRetry={() => void after.refetch()} />;
  if (after.data && previous === null) return <EmptyState title={t('diff.first')} />;
  return after.data && before.data ? <DiffBody before={before.data} after={after.data} /> : <Skeleton rows={10} />;
}

/** What this request says that the previous one of the same agent did not. */
export default function DiffTab({ request }: { request: number }) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  if (source.prompt === null) return <EmptyState title={t('hiddenPart')} />;
  return <DiffOf request={request} read={source.prompt} />;
}
