import { useTranslation } from 'react-i18next';
import type { JsonObject, LogEvent } from '../../../api/types';
import { printJson } from '../../../model/json';
import type { Row } from '../../../model/rows';
import { Badge } from '../../../ui/badges';
import { DiffView } from '../../../ui/DiffView';
import { formatDuration } from '../../../ui/format';
import { JsonTree } from '../../../ui/JsonTree';
import { PlainText } from '../../../ui/PlainText';
import { useSessionScope } from '../context';
import styles from './inspector.module.css';
import { actorIn, numberIn, objectIn, stringIn, textOf } from './payload';
import { Body, Content, EventRef, Part, useBody } from './parts';

function EffectClass({ payload }: { payload: JsonObject | null }) {
  const { t } = useTranslation('session');
  if (!payload?.effectful) return <Badge tone="ok">{t('effect.none')}</Badge>;
  return <Badge tone="waiting">{payload.idempotent ? t('effect.idempotent') : t('effect.once')}</Badge>;
}

const pretty = (value: unknown) => `${printJson(value, 2)}\n`;

/** What a person changed before the call was made, against what the model had proposed. */
function HumanEdit({ decision, call }: { decision: number; call: LogEvent }) {
  const { t } = useTranslation('session');
  const decided = useBody(decision);
  const asked = useBody(numberIn(decided.data?.payload, 'of') ?? undefined);
  const proposal = objectIn(asked.data?.payload, 'arguments');
  const name = actorIn(decided.data?.payload)?.name ?? '';
  const edited = stringIn(decided.data?.payload, 'decision') === 'edit';
  return (
    <Part label={edited ? t('editedBy', { name }) : t('approvedBy', { name })}>
      <div className={styles.bar}>
        <EventRef seq={decision} />
        {stringIn(decided.data?.payload, 'message') && <PlainText>{stringIn(decided.data?.payload, 'message') ?? ''}</PlainText>}
      </div>
      {edited && proposal && <DiffView before={pretty(proposal)} after={pretty(objectIn(call.payload, 'arguments'))} />}
    </Part>
  );
}

function Asked({ event }: { event: LogEvent }) {
  const { t } = useTranslation('session');
  const { payload } = event;
  const decision = numberIn(payload, 'decision');
  const raw = stringIn(payload, 'raw');
  return (
    <>
      <div className={styles.bar}>
        <strong>{stringIn(payload, 'tool')}</strong>
        <EffectClass payload={payload} />
        <code>{stringIn(payload, 'call_id')}</code>
      </div>
      <Part label={t('arguments')}>{raw ? <PlainText>{raw}</PlainText> : <JsonTree value={objectIn(payload, 'arguments') ?? {}} />}</Part>
      {decision !== null && <HumanEdit decision={decision} call={event} />}
      {payload?.effectful ? (
        <Part label={t('idempotencyKey')}>
          <code>{stringIn(payload, 'key') ?? '—'}</code>
        </Part>
      ) : null}
    </>
  );
}

function Result({ event }: { event: LogEvent }) {
  const { t } = useTranslation('session');
  const { payload } = event;
  const error = objectIn(payload, 'error');
  const source = stringIn(payload, 'source');
  return (
    <Part label={t('result')}>
      <div className={styles.bar}>
        <Badge tone={payload?.success ? 'ok' : 'failed'}>{payload?.success ? t('state.ok') : t('state.failed')}</Badge>
        {source && source !== 'live' && <span>{t(`note.${source as 'recorded'}`)}</span>}
        <span>{formatDuration(numberIn(payload, 'ms'))}</span>
        {error && <code>{[stringIn(error, 'code'), stringIn(error, 'field')].filter(Boolean).join(' · ')}</code>}
        <EventRef seq={event.seq} />
      </div>
      <div className={`${styles.block} ${payload?.success ? '' : styles.error}`}>
        <Content text={textOf(payload)} />
      </div>
    </Part>
  );
}

/** A tool call: typed arguments, what a person changed, the result, and what running it again would mean. */
export function CallTab({ row }: { row: Row }) {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const find = (type: string) => row.members.findLast((seq) => source.headers.type(seq) === type);
  const [call, result, question] = [find('tool_call'), find('tool_result'), find('interrupt')];
  const [asked, answered, proposed] = [useBody(call), useBody(result), useBody(question)];
  return (
    <div className={styles.body}>
      {call !== undefined && <Body query={asked}>{(event) => <Asked event={event} />}</Body>}
      {question !== undefined && (
        <Body query={proposed}>
          {(event) => (
            <Part label={t('proposed', { tool: stringIn(event.payload, 'tool') ?? '' })}>
              <JsonTree value={objectIn(event.payload, 'arguments') ?? {}} />
            </Part>
          )}
        </Body>
      )}
      {result !== undefined && <Body query={answered}>{(event) => <Result event={event} />}</Body>}
      {call !== undefined && result === undefined && <p className={styles.label}>{t('noResultYet')}</p>}
    </div>
  );
}
