import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Prompt, PromptMessage } from '../../../api/types';
import { printJson } from '../../../model/json';
import { countHidden } from '../../../model/hidden-text';
import { messageText } from '../../../model/message-text';
import { CopyButton } from '../../../ui/CopyButton';
import { formatCount } from '../../../ui/format';
import { JsonTree } from '../../../ui/JsonTree';
import { PlainText } from '../../../ui/PlainText';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states';
import { useRow, useSessionScope } from '../context';
import styles from './inspector.module.css';
import { EventRef, Part } from './parts';

/** Long messages start closed; the newest is what one came for. */
const LONG = 1200;

interface MessageBlockProps {
  item: PromptMessage;
  /** Its part of the prompt, 0…1 by characters. */
  share: number;
  /** Tokens of the whole prompt as the provider counted them; NaN when it did not say. */
  tokens: number;
  last: boolean;
}

/** The provider counts the whole; the part of one message is an estimate, and is marked as one. */
function Weight({ item, share, tokens }: Omit<MessageBlockProps, 'last'>) {
  const { t } = useTranslation('session');
  const text = Number.isNaN(tokens) ? t('chars', { count: item.chars, shown: formatCount(item.chars) }) : `≈ ${t('tokens', { value: formatCount(Math.round(share * tokens)) })}`;
  return (
    <>
      <span className={styles.weight} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${Math.max(2, share * 100)}%` }} />
      </span>
      <span className={styles.chars}>{text}</span>
    </>
  );
}

function MessageBlock({ item, share, tokens, last }: MessageBlockProps) {
  const { t } = useTranslation('ui');
  const text = messageText(item.message);
  const [open, setOpen] = useState(last || text.length <= LONG);
  const hidden = countHidden(text);
  return (
    <div className={styles.message}>
      <div className={styles.messageHead}>
        <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          <span className={styles.role}>{item.message.role}</span>
          <span className={styles.preview}>{open ? '' : text.slice(0, 160)}</span>
        </button>
        {hidden > 0 && <span>{t('hidden', { count: hidden })}</span>}
        {item.origin ? <EventRef seq={item.origin.seq} /> : null}
        <Weight item={item} share={share} tokens={tokens} />
      </div>
      {open && (
        <div className={styles.messageBody}>
          <PlainText>{text}</PlainText>
        </div>
      )}
    </div>
  );
}

/** A message that a shared replay leaves out: its place is kept. */
export function MissingBlock({ item }: { item: PromptMessage }) {
  const { t } = useTranslation('session');
  return (
    <div className={styles.message}>
      <div className={styles.messageHead}>
        {item.missing === 'hidden' && <span className={styles.role}>{item.message.role}</span>}
        <span className={styles.preview}>{t(item.missing === 'before' ? 'missing.before' : 'missing.hidden')}</span>
        {item.origin ? <EventRef seq={item.origin.seq} /> : null}
      </div>
    </div>
  );
}

function PromptBody({ prompt }: { prompt: Prompt }) {
  const { t } = useTranslation('session');
  const total = prompt.messages.reduce((sum, item) => sum + item.chars, 0);
  const partly = prompt.messages.some((item) => item.missing);
  const tokens = useRow(prompt.seq)?.tokensIn ?? Number.NaN;
  return (
    <div className={styles.body}>
      <div className={styles.bar}>
        <span>{t(partly ? 'asShared' : 'asSeen', { count: prompt.messages.length })}</span>
        {!Number.isNaN(tokens) && <span>{t('tokens', { value: formatCount(tokens) })}</span>}
        {prompt.attempts.map((attempt) => (
          <span key={attempt.n}>{t('attempt', { n: attempt.n, model: attempt.model, reason: attempt.reason })}</span>
        ))}
        <span className={styles.grow} />
        <CopyButton text={() => printJson(prompt, 2)} />
      </div>
      <div>
        {prompt.messages.map((item, index) =>
          item.missing ? (
            <MissingBlock key={`${prompt.seq}/${index}`} item={item} />
          ) : (
            <MessageBlock key={`${prompt.seq}/${index}`} item={item} share={total === 0 ? 0 : item.chars / total} tokens={partly ? Number.NaN : tokens} last={index === prompt.messages.length - 1} />
          ),
        )}
      </div>
      {prompt.tools.length > 0 && (
        <Part label={t('toolsOffered', { count: prompt.tools.length })}>
          <JsonTree value={prompt.tools} />
        </Part>
      )}
      <Part label={t('parameters')}>
        <JsonTree value={{ model: prompt.model, ...prompt.params }} />
      </Part>
      <Part label={t('fingerprint')}>
        <code>{prompt.fingerprint}</code>
      </Part>
    </div>
  );
}

/** The prompt as the model saw it: whole, in order, each message with where it came from. */
export function PromptTab({ request }: { request: number }) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const read = source.prompt;
  const query = useQuery({ ...(read ?? source.event)(request), enabled: read !== null } as ReturnType<NonNullable<typeof read>>);
  if (read === null) return <EmptyState title={t('hiddenPart')} />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return query.data ? <PromptBody prompt={query.data} /> : <Skeleton rows={10} />;
}
