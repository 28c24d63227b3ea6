import { clsx } from 'clsx';
import { CircleCheck, Loader, OctagonX, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../model/problems';
import { Button } from '../../../ui/Button';
import styles from './editor.module.css';
import type { Check } from './use-check';

const SHOWN = 3;

/** One line: whether the draft could be saved as it is. Told politely, when a person pauses. */
export function CheckState({ check, problems }: { check: Check; problems: readonly Problem[] }) {
  const { t } = useTranslation('editor');
  const count = problems.length;
  const warned = check.warnings.length;
  const state = check.error ? 'broken' : !check.fresh ? 'checking' : count > 0 ? 'problems' : warned > 0 ? 'warnings' : 'fine';
  const icons = {
    broken: <OctagonX size={14} aria-hidden="true" />,
    checking: <Loader size={14} aria-hidden="true" />,
    problems: <OctagonX size={14} aria-hidden="true" />,
    warnings: <TriangleAlert size={14} aria-hidden="true" />,
    fine: <CircleCheck size={14} aria-hidden="true" />,
  };
  const told = state === 'problems' ? `${t('check.problems', { count })}: ${problems.slice(0, SHOWN).map(({ field, message }) => `${field} ${message}`).join('; ')}` : '';
  return (
    <>
      <span className={styles[`check_${state}`]}>
        {icons[state]}
        {state === 'problems' ? t('check.problems', { count }) : state === 'warnings' ? t('check.warnings', { count: warned }) : t(`check.${state}`)}
      </span>
      <span className={styles.said} role="status" aria-live="polite">
        {state === 'fine' ? t('check.fine') : told}
      </span>
    </>
  );
}

interface SummaryProps {
  problems: readonly Problem[];
  warnings: readonly Problem[];
  onJump: (problem: Problem) => void;
}

/** Every problem in one place, or, when there is none, every warning; each leads to its field. */
export function ProblemSummary({ problems, warnings, onJump }: SummaryProps) {
  const { t } = useTranslation('editor');
  const [all, setAll] = useState(false);
  const mild = problems.length === 0;
  const told = mild ? warnings : problems;
  if (told.length === 0) return null;
  const shown = all ? told : told.slice(0, SHOWN);
  return (
    <section className={clsx(styles.summary, mild && styles.mild)} aria-label={t(mild ? 'check.warningSummary' : 'check.summary')}>
      <ul>
        {shown.map((problem) => (
          <li key={`${problem.field} ${problem.message}`}>
            <button type="button" className={styles.problemLink} onClick={() => onJump(problem)}>
              {problem.field || t('check.whole')}
            </button>{' '}
            {problem.message}
          </li>
        ))}
      </ul>
      {told.length > SHOWN && (
        <Button variant="quiet" onClick={() => setAll(!all)}>
          {all ? t('check.fewer') : t('check.all', { count: told.length })}
        </Button>
      )}
    </section>
  );
}
