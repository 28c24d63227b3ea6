import { type KeyboardEvent, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Decision, Interrupt } from '../../api/types';
import { Button } from '../../ui/Button';
import { TextArea } from '../../ui/fields';
import { MOD } from '../../ui/keyboard/modifier';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { BudgetForm } from './BudgetForm';
import styles from './decision.module.css';
import { type Choice, decisionOf, type Given } from './choices';
import { ValueForm } from './ValueForm';

interface ChoiceFormProps {
  interrupt: Interrupt;
  choice: Choice;
  given: Given;
  onGive: (given: Given) => void;
  edits: number;
  busy: boolean;
  onSend: (decision: Decision) => void;
  onBack: () => void;
}

/** Escape goes one step back, from inside a field too. */
function useEscape(run: () => void): void {
  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) run();
  });
  useEffect(() => {
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, []);
}

function Presets({ onPick }: { onPick: (text: string) => void }) {
  const { t } = useTranslation('approvals');
  const presets = [t('preset.wrongValues'), t('preset.notNeeded'), t('preset.askFirst')];
  return (
    <div className={styles.options}>
      {presets.map((text) => (
        <Button key={text} variant="quiet" onClick={() => onPick(text)}>
          {text}
        </Button>
      ))}
    </div>
  );
}

/** What is said again before it is done. */
function confirmed(interrupt: Interrupt, choice: Choice): 'retry' | 'give_up' | 'give_up_budget' | 'no_limit' {
  if (interrupt.kind !== 'budget') return choice.verb as 'retry' | 'give_up';
  return choice.verb === 'raise' ? 'no_limit' : 'give_up_budget';
}

function Body({ interrupt, choice, given, onGive, onEnter }: Pick<ChoiceFormProps, 'interrupt' | 'choice' | 'given' | 'onGive'> & { onEnter: () => void }) {
  const { t } = useTranslation('approvals');
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  if (choice.needs === 'reason' || choice.needs === 'text') {
    const label = choice.needs === 'reason' ? t('reason') : t('answerAsTool', { tool: interrupt.tool ?? '' });
    return (
      <>
        {choice.needs === 'reason' && <Presets onPick={(message) => onGive({ message })} />}
        <TextArea label={label} note={t('enterSends')} rows={2} value={given.message ?? ''} onChange={(message) => onGive({ message })} onKeyDown={onKey} />
      </>
    );
  }
  if (choice.verb === 'raise' && choice.needs === 'value') return <BudgetForm interrupt={interrupt} value={given.value} onChange={(value) => onGive({ value })} />;
  if (choice.needs === 'value') {
    const label = choice.verb === 'happened' ? t('whichResult') : t('answer');
    return <ValueForm schema={interrupt.schema} label={label} value={given.value} onChange={(value) => onGive({ value })} />;
  }
  if (choice.needs === 'confirmation') return <p>{t(`confirm.${confirmed(interrupt, choice)}`, { tool: interrupt.tool ?? '' })}</p>;
  return null;
}

/** What a decision needs before it is sent; sending and going back stand apart. */
export function ChoiceForm({ interrupt, choice, given, onGive, edits, busy, onSend, onBack }: ChoiceFormProps) {
  const { t } = useTranslation(['approvals', 'common']);
  const decision = decisionOf(interrupt, choice, given);
  const send = () => {
    if (decision && !busy) onSend(decision);
  };
  useEscape(onBack);
  useShortcuts('approvals', [{ keys: ['mod+Enter'], label: t('send'), run: send }]);
  const incomplete = decision ? null : choice.verb === 'edit' ? t(edits > 0 ? 'mendFields' : 'nothingChanged') : t(`missing.${choice.needs as 'reason'}`);
  const label = choice.verb === 'edit' ? t('approveWithEdits', { count: edits }) : t(`send_.${choice.needs === 'confirmation' ? confirmed(interrupt, choice) : (choice.verb as 'reject')}`);
  const strong = choice.verb === 'reject' || (choice.needs === 'confirmation' && choice.verb !== 'raise') ? 'danger' : 'primary';
  return (
    <div className={styles.form}>
      <Body {...{ interrupt, choice, given, onGive }} onEnter={send} />
      <div className={styles.buttons}>
        <Button variant={strong} size="lg" kbd={`${MOD}↵`} busy={busy} disabledReason={incomplete} onClick={send}>
          {label}
        </Button>
        <Button variant="quiet" size="lg" kbd="Esc" onClick={onBack}>
          {t('common:back')}
        </Button>
      </div>
    </div>
  );
}
