import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Decision, Interrupt } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Button, type ButtonVariant } from '../../ui/Button';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import styles from './decision.module.css';
import { type Choice, choicesOf, decisionOf, type Given, type Verb, verbWord } from './choices';
import { ChoiceForm } from './ChoiceForm';
import { useArmed } from './use-armed';
import { useSecondPress } from './use-second-press';

const LOOKS: Partial<Record<Verb, ButtonVariant>> = { approve: 'primary', continue: 'primary', raise: 'primary', reject: 'danger', give_up: 'danger' };

interface BarProps {
  interrupt: Interrupt;
  choice: Choice | null;
  onChoose: (choice: Choice | null) => void;
  given: Given;
  onGive: (given: Given) => void;
  edits: number;
  busy: boolean;
  onSend: (decision: Decision) => void;
}

/** Why this person cannot decide, or null. */
function useHindrance(interrupt: Interrupt): string | null {
  const { t } = useTranslation('common');
  const me = useMe();
  if (interrupt.can_decide) return null;
  return t('needsRoleYouAre', { role: t(`role.${interrupt.required_role}`), mine: me.role ? t(`role.${me.role}`) : '—' });
}

/**
 * The decisions as buttons with their keys; a decision that needs more opens its form in the same place. Who may not
 * decide reads why instead.
 */
export function DecisionBar({ interrupt, choice, onChoose, given, onGive, edits, busy, onSend }: BarProps) {
  const { t } = useTranslation('approvals');
  const armed = useArmed(interrupt.id + interrupt.digest);
  const second = useSecondPress(interrupt.id + interrupt.digest);
  const hindrance = useHindrance(interrupt);
  const choices = choicesOf(interrupt);
  const numbered = interrupt.kind === 'in_doubt' || interrupt.kind === 'retries';
  const frame = useRef<HTMLDivElement>(null);
  const pick = (next: Choice) => {
    if (!armed || busy || choice) return;
    const ready = next.needs === 'nothing' ? decisionOf(interrupt, next, {}) : null;
    if (ready) onSend(ready);
    else onChoose(next);
  };
  // A stray key must not let a call happen: by key, an approval takes two. A click is aimed.
  const byKey = (each: Choice) => {
    if (interrupt.kind !== 'approval' || each.verb !== 'approve') pick(each);
    else if (armed && !busy && !choice) second.press(() => pick(each));
  };
  useShortcuts('approvals', hindrance ? [] : choices.map((each) => ({ keys: [each.key], label: t(`verb.${verbWord(interrupt, each.verb)}`), run: () => byKey(each) })));
  useEffect(() => {
    if (!choice || choice.needs === 'arguments') return;
    const field = frame.current?.querySelector<HTMLElement>('textarea,input,select') ?? frame.current?.querySelector('button');
    field?.focus();
  }, [choice]);
  if (hindrance) return <p className={clsx(styles.bar, styles.muted)}>{hindrance}</p>;
  return (
    <div ref={frame} className={styles.bar}>
      {choice ? (
        <ChoiceForm {...{ interrupt, choice, given, onGive, edits, busy, onSend }} onBack={() => onChoose(null)} />
      ) : (
        <div className={numbered ? styles.numbered : styles.buttons}>
          {choices.map((each) => (
            <div key={each.verb} className={styles.choice} data-verb={each.verb}>
              <Button
                variant={LOOKS[each.verb] ?? 'act'}
                size="lg"
                kbd={each.key.toUpperCase()}
                busy={busy || !armed}
                onClick={() => pick(each)}
              >
                {second.asked && each.verb === 'approve' ? t('pressAgain', { key: each.key.toUpperCase() }) : t(`verb.${verbWord(interrupt, each.verb)}`)}
              </Button>
              {numbered && <span className={styles.muted}>{t(`meaning.${interrupt.kind === 'retries' ? 'retries' : 'in_doubt'}.${each.verb as 'retry'}`)}</span>}
            </div>
          ))}
          <span className={styles.said} role="status">
            {second.asked && t('pressAgain', { key: 'A' })}
          </span>
        </div>
      )}
    </div>
  );
}
