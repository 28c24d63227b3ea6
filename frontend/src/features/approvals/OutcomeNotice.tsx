import { CircleCheck, OctagonX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Decision, Interrupt } from '../../api/types';
import { printJson } from '../../model/json';
import { Time } from '../../ui/figures';
import { PlainText } from '../../ui/PlainText';
import styles from './decision.module.css';
import { ArgumentTable } from './ArgumentTable';
import { doneWord, type Verb } from './choices';
import type { Refusal } from './refusal';

function Settled({ interrupt }: { interrupt: Interrupt }) {
  const { t } = useTranslation('approvals');
  const { decision, answer } = interrupt;
  if (interrupt.status !== 'decided' || !decision) {
    return (
      <p>
        <strong>{t(interrupt.status === 'expired' ? 'wasExpired' : 'wasCancelled')}</strong> <Time at={interrupt.decided_at ?? interrupt.expires_at} />
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>
          {t(`done.${doneWord(interrupt)}`, { name: interrupt.decided_by?.name ?? t('somebody') })}
        </strong>{' '}
        <Time at={interrupt.decided_at} />
      </p>
      {answer?.message && (
        <p>
          <PlainText>{answer.message}</PlainText>
        </p>
      )}
      {answer?.value !== undefined && answer.value !== null && (
        <p>
          <code>
            <PlainText>{printJson(answer.value)}</PlainText>
          </code>
        </p>
      )}
      {answer?.arguments && decision === 'edit' && <ArgumentTable schema={interrupt.schema} value={answer.arguments} />}
    </>
  );
}

interface NoticeProps {
  interrupt: Interrupt;
  refusal: Refusal | null;
  /** What this person sent last. */
  sent: Decision | null;
}

/** Who decided what; and, if this person's own decision came too late or was refused, that nothing of it was applied, as far as that is known. */
export function OutcomeNotice({ interrupt, refusal: told, sent }: NoticeProps) {
  const { t } = useTranslation('approvals');
  const settled = interrupt.status !== 'pending';
  const refusal = settled && told?.kind === 'unheard' ? null : told; // what became of it is there to be read
  if (!settled && !refusal) return null;
  const verb = sent ? t(`verb.${sent.decision as Verb}`) : '';
  return (
    <div className={refusal ? styles.refused : styles.settled} role={refusal ? 'alert' : 'status'}>
      {refusal ? <OctagonX size={16} aria-hidden="true" /> : <CircleCheck size={16} aria-hidden="true" />}
      <div>
        {settled && <Settled interrupt={interrupt} />}
        {refusal?.kind === 'lost' && <p>{t('notApplied', { verb })}</p>}
        {refusal?.kind === 'expired' && <p>{t('tooLate', { verb })}</p>}
        {refusal?.kind === 'unheard' && <p>{t('unheard', { verb })}</p>}
        {refusal?.kind === 'changed' && <p>{t('questionChanged', { verb })}</p>}
        {refusal?.kind === 'invalid' && <p>{refusal.fields.length > 0 ? t('fieldsRefused') : refusal.message}</p>}
        {refusal?.kind === 'failed' && <p>{t('notSent', { reason: refusal.message })}</p>}
      </div>
    </div>
  );
}
