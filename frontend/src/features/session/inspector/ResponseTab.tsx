import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LogEvent, Message } from '../../../api/types';
import type { Row } from '../../../model/rows';
import { counted } from '../../../model/usage';
import { Badge } from '../../../ui/badges';
import { Button } from '../../../ui/Button';
import { CopyButton } from '../../../ui/CopyButton';
import { formatCount, formatDuration } from '../../../ui/format';
import { JsonTree } from '../../../ui/JsonTree';
import { MarkdownText } from '../../../ui/MarkdownText';
import { PlainText } from '../../../ui/PlainText';
import { EmptyState } from '../../../ui/states';
import { useSessionScope, useStream } from '../context';
import styles from './inspector.module.css';
import { messageIn, numberIn, objectIn, stringIn, textOf } from './payload';
import { Body, Part, useBody } from './parts';

/** Calls that a message asks for, with our ids: `c<seq>.<i>`. */
function Calls({ message, seq }: { message: Message; seq: number }) {
  const { t } = useTranslation('session');
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) return null;
  return (
    <Part label={t('callsAsked', { count: calls.length })}>
      {calls.map((call, index) => (
        <div key={index} className={styles.block}>
          <div className={styles.bar}>
            <strong>{call.name}</strong>
            <code>{`c${seq}.${index}`}</code>
          </div>
          {call.raw ? <PlainText>{call.raw}</PlainText> : <JsonTree value={call.arguments} />}
        </div>
      ))}
    </Part>
  );
}

/** Text that is being written. A screen reader is not told every word: the finished answer is announced. */
function Streaming({ request }: { request: number }) {
  const { t } = useTranslation('session');
  const stream = useStream(request);
  const parts = stream?.parts ?? [];
  return (
    <div className={styles.body} aria-busy="true" aria-live="off">
      <div className={styles.bar}>
        <Badge tone="running">{t('state.open')}</Badge>
        {stream && stream.attempt > 1 && <span>{t('attemptN', { n: stream.attempt })}</span>}
        {parts.some((part) => part.holed) && <span>{t('holed')}</span>}
      </div>
      {parts.map((part) => (
        <Part key={part.part} label={part.part}>
          <div className={part.part === 'text' ? undefined : styles.block}>
            <PlainText>{part.text}</PlainText>
            {part.part === 'text' && <span className={styles.cursor} />}
          </div>
        </Part>
      ))}
    </div>
  );
}

function Recorded({ event }: { event: LogEvent }) {
  const { t } = useTranslation('session');
  const [plain, setPlain] = useState(false);
  const { payload } = event;
  const message = messageIn(payload);
  const text = textOf(payload);
  const source = stringIn(payload, 'source');
  const by = stringIn(payload, 'answered_by');
  const usage = counted(objectIn(payload, 'usage'));
  return (
    <div className={styles.body}>
      <div className={styles.bar}>
        {by && <Badge tone="paused">{t('answeredBy', { name: by })}</Badge>}
        {source && source !== 'live' && <Badge tone="paused">{t(`note.${source as 'cache'}`)}</Badge>}
        <span>{t('stop', { reason: stringIn(payload, 'stop_reason') ?? '—' })}</span>
        <span>{t('tokens', { value: `${formatCount(usage.input)} → ${formatCount(usage.output)}` })}</span>
        <span>{formatDuration(numberIn(payload, 'ms'))}</span>
        <span>{t('firstToken', { time: formatDuration(numberIn(payload, 'ttft_ms')) })}</span>
        <span className={styles.grow} />
        {text && (
          <Button variant="quiet" aria-pressed={plain} onClick={() => setPlain(!plain)}>
            {t('plain')}
          </Button>
        )}
        <CopyButton text={text} />
      </div>
      {payload?.saved ? (
        <Part label={t('saved')}>
          <JsonTree value={payload.saved} />
        </Part>
      ) : null}
      {text && (plain ? <PlainText>{text}</PlainText> : <MarkdownText>{text}</MarkdownText>)}
      {message && <Calls message={message} seq={event.seq} />}
    </div>
  );
}

function Failed({ event }: { event: LogEvent }) {
  const { t } = useTranslation('session');
  const { payload } = event;
  const after = numberIn(payload, 'retry_after');
  return (
    <div className={styles.body}>
      <div className={styles.bar}>
        <Badge tone="failed">{stringIn(payload, 'code')}</Badge>
        <span>{payload?.permanent ? t('error.permanent') : t('error.passing')}</span>
        {after !== null && <span>{t('error.retryAfter', { time: formatDuration(after * 1000) })}</span>}
        <span>{t('attemptN', { n: numberIn(payload, 'attempt') ?? 1 })}</span>
      </div>
      <div className={`${styles.block} ${styles.error}`}>
        <PlainText>{textOf(payload)}</PlainText>
      </div>
      {stringIn(payload, 'partial') && (
        <Part label={t('error.partial')}>
          <PlainText>{stringIn(payload, 'partial') ?? ''}</PlainText>
        </Part>
      )}
    </div>
  );
}

const ANSWERS = /^llm_(response|error)$/;

/** What the model answered: passing text first, the record as soon as it is there, or the error of the attempt that is selected. */
export function ResponseTab({ row, seq }: { row: Row; seq: number }) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const stream = useStream(row.seq);
  const selected = ANSWERS.test(source.headers.type(seq));
  const answer = selected ? seq : row.members.findLast((each) => ANSWERS.test(source.headers.type(each)));
  const body = useBody(answer);
  if (row.state === 'open' && stream && !selected) return <Streaming request={row.seq} />;
  if (answer === undefined) return <EmptyState title={t('noAnswerYet')} />;
  return <Body query={body}>{(event) => (event.event_type === 'llm_error' ? <Failed event={event} /> : <Recorded event={event} />)}</Body>;
}
