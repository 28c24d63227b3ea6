import { Fragment, lazy, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject, LogEvent } from '../../../api/types';
import type { Row } from '../../../model/rows';
import { counted } from '../../../model/usage';
import { formatCount, formatDuration, formatMoney } from '../../../ui/format';
import { Time } from '../../../ui/figures';
import { PlainText } from '../../../ui/PlainText';
import { useSessionScope } from '../context';
import { useRowWords } from '../row-words';
import { GuardFindings } from './GuardFindings';
import styles from './inspector.module.css';
import { LimitsPart } from './LimitsPart';
import { actorIn, numberIn, objectIn, stringIn, textOf } from './payload';
import { Body, EventRef, Part, useBody } from './parts';

const PlanPart = lazy(async () => ({ default: (await import('./PlanPart')).PlanPart }));

const LIMITED = new Set(['session_start', 'limit', 'interrupt']);

type Fact = [label: string, value: ReactNode] | null;

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        (fact) =>
          fact && (
            <Fragment key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

function useUsageFacts(payload: JsonObject | null): Fact[] {
  const { t } = useTranslation('session');
  const usage = objectIn(payload, 'usage');
  if (!payload || !('usage' in payload)) return [];
  const tokens = counted(usage);
  return [
    [t('fact.input'), formatCount(tokens.input)],
    [t('fact.output'), formatCount(tokens.output)],
    [t('fact.cached'), formatCount(tokens.cached)],
    tokens.written === null ? null : [t('fact.written'), formatCount(tokens.written)],
    [t('fact.reasoning'), formatCount(tokens.reasoning)],
    [t('fact.cost'), formatMoney(stringIn(payload, 'cost'))],
    [t('fact.price'), stringIn(payload, 'price') ?? '—'],
    [t('fact.firstToken'), formatDuration(numberIn(payload, 'ttft_ms'))],
  ];
}

function RowFacts({ row, event }: { row: Row; event: LogEvent }) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const words = useRowWords();
  const answer = useBody(row.members.findLast((seq) => source.headers.type(seq) === 'llm_response'));
  const usage = useUsageFacts(answer.data?.payload ?? null);
  const by = actorIn(event.payload);
  const note = words.note(row);
  const place = source.headers.at(event.seq);
  const cause = source.headers.cause[place] ?? 0;
  return (
    <Facts
      facts={[
        [t('fact.kind'), words.type(row.seq === event.seq ? row.word : event.event_type)],
        [t('fact.state'), note ?? t(row.state === 'ok' ? 'state.ok' : 'state.done')],
        [t('fact.time'), <Time key="time" at={event.ts} exact />],
        known(row.ms) === null ? null : [t('fact.duration'), formatDuration(row.ms)],
        by ? [t('fact.by'), by.name || by.id] : null,
        ...usage,
        event.scope ? [t('fact.scope'), <code key="scope">{event.scope}</code>] : null,
        cause > 0 ? [t('fact.cause'), <EventRef key="cause" seq={cause} />] : null,
        event.sealed ? [t('fact.sealed'), formatCount(event.sealed.length)] : null,
        event.edited ? [t('fact.edited'), event.edited.by.name] : null,
        [t('fact.hash'), <code key="hash">{event.hash}</code>],
      ]}
    />
  );
}

/** Why a run ended, when it did not simply finish. */
function endReason(payload: JsonObject | null): string | null {
  const error = objectIn(payload, 'error');
  const said = stringIn(error, 'message') ?? stringIn(payload, 'reason');
  const code = stringIn(error, 'code');
  return said && code ? `${said} (${code})` : said;
}

/** What can be said of any event in a few lines, and the events that make up its row. */
export function OverviewTab({ row, seq }: { row: Row; seq: number }) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const words = useRowWords();
  const body = useBody(seq);
  return (
    <div className={styles.body}>
      <Body query={body}>
        {(event) => (
          <>
            {event.event_type === 'session_end' && endReason(event.payload) && (
              <Part label={t('fact.reason')}>
                <div className={`${styles.block} ${row.note === 'failed' ? styles.error : ''}`}>
                  <PlainText>{endReason(event.payload) ?? ''}</PlainText>
                </div>
              </Part>
            )}
            <RowFacts row={row} event={event} />
            {LIMITED.has(event.event_type) && <LimitsPart event={event} />}
            {event.event_type === 'plan' && <PlanPart event={event} />}
            {event.event_type === 'guardrail' && <GuardFindings payload={event.payload} />}
            {(event.event_type === 'error' || event.event_type === 'llm_error') && (
              <Part label={t('fact.message')}>
                <div className={`${styles.block} ${styles.error}`}>
                  <PlainText>{textOf(event.payload)}</PlainText>
                </div>
              </Part>
            )}
            {(event.event_type === 'user_message' || event.event_type === 'steer') && (
              <Part label={t('fact.message')}>
                <div className={styles.block}>
                  <PlainText>{textOf(event.payload)}</PlainText>
                </div>
              </Part>
            )}
            {event.event_type === 'session_end' && stringIn(event.payload, 'answer') && (
              <Part label={t('fact.answer')}>
                <div className={styles.block}>
                  <PlainText>{stringIn(event.payload, 'answer') ?? ''}</PlainText>
                </div>
              </Part>
            )}
          </>
        )}
      </Body>
      {row.members.length > 1 && (
        <Part label={t('members')}>
          <div className={styles.members}>
            {row.members.map((member) => (
              <span key={member} className={styles.bar}>
                <EventRef seq={member} /> {words.type(source.headers.type(member))}
              </span>
            ))}
          </div>
        </Part>
      )}
    </div>
  );
}
