import { CircleCheck, CircleDashed } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LogEvent } from '../../../api/types';
import { readPlan } from '../../../model/plan';
import { activationOf } from '../../../model/rows';
import { PlainText } from '../../../ui/PlainText';
import { useSessionScope } from '../context';
import styles from './inspector.module.css';
import { Part, useBody } from './parts';

/** The plan that the same agent told before this one. */
function usePrevious(event: LogEvent) {
  const { headers } = useSessionScope().source;
  const place = headers.at(event.seq);
  const own = activationOf(headers.scopes[place] ?? null);
  const before = headers.types.findLastIndex((type, i) => i < place && type === 'plan' && activationOf(headers.scopes[i] ?? null) === own);
  return useBody(before === -1 ? undefined : headers.first + before);
}

/** The steps of a plan in their order, and which of them are done. */
export function PlanPart({ event }: { event: LogEvent }) {
  const { t } = useTranslation('session');
  const previous = usePrevious(event);
  const plan = previous.isLoading ? null : readPlan(event.payload, previous.data?.payload);
  if (!plan) return null;
  return (
    <>
      <Part label={t('plan.steps')}>
        {plan.before > 0 && <p className={styles.label}>{t('plan.doneBefore', { count: plan.before })}</p>}
        <ol className={styles.steps} start={plan.before + 1}>
          {plan.steps.map((step, index) => {
            const Icon = step.done ? CircleCheck : CircleDashed;
            return (
              // oxlint-disable-next-line react/no-array-index-key -- a plan may name the same step twice
              <li key={index}>
                <span className={styles.number}>{plan.before + index + 1}.</span>
                <Icon size={14} role="img" aria-label={step.done ? t('plan.done') : undefined} aria-hidden={step.done ? undefined : true} />
                <span className={step.done ? styles.done : undefined}>
                  <PlainText>{step.text}</PlainText>
                </span>
              </li>
            );
          })}
        </ol>
      </Part>
      {plan.why && (
        <Part label={t('plan.why')}>
          <PlainText>{plan.why}</PlainText>
        </Part>
      )}
    </>
  );
}
