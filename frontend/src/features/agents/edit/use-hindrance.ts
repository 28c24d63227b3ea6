import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../model/problems';
import type { Subject } from './subject';
import type { Check } from './use-check';
import type { DraftState } from './use-draft';

/** Why the draft cannot be saved now, or null. What the server has not said yet hinders nobody: it says so when asked to save. */
export function useHindrance(subject: Subject, draft: DraftState, check: Check, problems: readonly Problem[]): string | null {
  const { t } = useTranslation('editor');
  if (check.unreadable) return t('unreadable');
  if (!draft.dirty && subject.copied === '') return t('nothingToSave');
  return check.fresh && problems.length > 0 ? t('mendFirst', { count: problems.length }) : null;
}
