import { useTranslation } from 'react-i18next';
import { type Asked, headlineOf } from '../model/headline';

/** The platform's own sentences, as the log has them; what a tool or a model says stays as it is. */
const OWN = {
  'The worker stopped while this call was running. Did it happen?': 'crash',
  'This call was cancelled from within. Did it happen?': 'broke_off',
  'The call did not come back in time. Did it happen?': 'timeout',
  "The call did not come back in time, and its thread can't be stopped: it may still be at work. Did it happen?": 'blocked',
  'No answer to this call came back. Did it happen?': 'lost',
  'The model gets this text as it is.': 'guard_input',
  'The agent goes on with this answer as it is.': 'guard_output',
} as const;
const NO_ANSWER = /^The model did not answer: (.*)$/s;

/** What a list and a card say of a question in one sentence, in the language of the page as far as it is the platform's. */
export function useHeadline(): (asked: Asked) => string | null {
  const { t } = useTranslation('approvals');
  return (asked) => {
    const said = headlineOf(asked);
    if (said === null || asked.kind === 'approval' || asked.kind === 'question') return said;
    const reason = asked.kind === 'retries' ? NO_ANSWER.exec(said)?.[1] : undefined;
    if (reason !== undefined) return t('own.no_answer', { reason });
    return said in OWN ? t(`own.${OWN[said as keyof typeof OWN]}`) : said;
  };
}
