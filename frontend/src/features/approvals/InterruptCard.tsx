import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Interrupt } from '../../api/types';
import { readBudget } from '../../model/budget';
import { headlineOf } from '../../model/headline';
import { PlainText } from '../../ui/PlainText';
import { type FormState, TypedForm } from '../../ui/TypedForm';
import { useHeadline } from '../../ui/use-headline';
import styles from './approvals.module.css';
import { ArgumentTable, RawArguments } from './ArgumentTable';
import { BudgetFigures } from './BudgetFigures';
import { CardHead } from './CardHead';
import { type Choice, type Given, withoutPrice } from './choices';
import { DecisionBar } from './DecisionBar';
import { editsOf } from './edits';
import { EditStrip } from './EditStrip';
import { LateResult } from './LateResult';
import { OutcomeNotice } from './OutcomeNotice';
import { errorsByArgument } from './refusal';
import { TurnStrip } from './TurnStrip';
import { useDecide } from './use-decide';
import { WhySection } from './WhySection';

interface CardProps {
  interrupt: Interrupt;
  /** Every question of the same turn, this one among them. */
  siblings: Interrupt[];
  /** It stands in the session where it arose: nothing leads there. */
  inSession?: boolean;
  onDecided: (interrupt: Interrupt) => void;
}

/** What a person let happen instead of what the agent proposed: the sentence about the proposal does not hold any more. */
function Changed({ interrupt }: { interrupt: Interrupt }) {
  const { t } = useTranslation('approvals');
  const edits = editsOf(interrupt);
  return (
    <section className={styles.part}>
      <h3>{t('withChangesOnly')}</h3>
      {edits && <EditStrip {...edits} />}
    </section>
  );
}

function Consequence({ interrupt, edited }: { interrupt: Interrupt; edited: boolean }) {
  const { t } = useTranslation('approvals');
  const open = interrupt.status === 'pending';
  const headline = useHeadline()(interrupt);
  if (interrupt.decision === 'edit') return <Changed interrupt={interrupt} />;
  const budget = interrupt.kind === 'budget' ? readBudget(interrupt.info) : null;
  const heading = !open ? 'whatWasAsked' : interrupt.kind === 'in_doubt' ? 'whatIsInDoubt' : interrupt.kind === 'approval' ? 'whatWillHappen' : 'whatIsAsked';
  return (
    <section className={styles.part}>
      <h3>{t(heading)}</h3>
      {headline && (
        <p className={styles.consequenceOwn}>
          <PlainText>{headline}</PlainText>
        </p>
      )}
      {interrupt.consequence && interrupt.consequence !== headlineOf(interrupt) && (
        <p className={styles.consequence}>
          <PlainText>{interrupt.consequence}</PlainText>
        </p>
      )}
      {budget && <BudgetFigures budget={budget} />}
      {edited && interrupt.consequence && <p className={styles.consequence}>{t('aboutProposal')}</p>}
      {open && !edited && <p className={styles.consequence}>{t(`explain.${withoutPrice(interrupt) ? 'unknown_price' : interrupt.kind}`, { tool: interrupt.tool ?? '' })}</p>}
    </section>
  );
}

/** One question to a person: the consequence, the exact call, the reason, and the decisions that it takes. */
export function InterruptCard({ interrupt, siblings, inSession = false, onDecided }: CardProps) {
  const { t } = useTranslation('approvals');
  const [choice, setChoice] = useState<Choice | null>(null);
  const [form, setForm] = useState<FormState | null>(null);
  const [given, setGiven] = useState<Given>({});
  const decision = useDecide(interrupt, onDecided);
  const pending = interrupt.status === 'pending';
  const editing = pending && choice?.verb === 'edit';
  const fields = useRef<HTMLElement>(null);
  useEffect(() => {
    if (editing) fields.current?.querySelector<HTMLElement>('input,textarea,select')?.focus();
  }, [editing]);
  const choose = (next: Choice | null) => {
    decision.forget();
    setForm(null);
    setGiven({});
    setChoice(next);
  };
  const original = interrupt.arguments ?? {};
  const changed = form?.changed ?? [];
  return (
    <article className={styles.card} aria-labelledby={`title-${interrupt.id}`}>
      <div className={styles.scroll}>
        <CardHead interrupt={interrupt} inSession={inSession} />
        <OutcomeNotice interrupt={interrupt} refusal={decision.refusal} sent={decision.sent} />
        {siblings.length > 1 && <TurnStrip interrupt={interrupt} siblings={siblings} inSession={inSession} />}
        <Consequence interrupt={interrupt} edited={changed.length > 0} />
        <LateResult interrupt={interrupt} />
        {interrupt.arguments && (editing || Object.keys(interrupt.arguments).length > 0) && (
          <section ref={fields} className={styles.part}>
            <h3>{t(interrupt.decision === 'edit' ? 'argumentsProposed' : 'arguments')}</h3>
            {editing ? (
              <>
                <TypedForm
                  key={interrupt.digest}
                  schema={interrupt.schema}
                  original={original}
                  refused={decision.refusal?.kind === 'invalid' ? errorsByArgument(decision.refusal.fields) : undefined}
                  onChange={(state) => {
                    decision.forget();
                    setForm(state);
                    setGiven({ arguments: state.changed.length > 0 ? state.value : null });
                  }}
                />
                <EditStrip original={original} edited={form ? form.value : original} changed={changed} />
              </>
            ) : (
              <>
                <ArgumentTable schema={interrupt.schema} value={interrupt.arguments} />
                <RawArguments value={interrupt.arguments} />
              </>
            )}
          </section>
        )}
        <WhySection interrupt={interrupt} />
      </div>
      {pending && (
        <DecisionBar
          interrupt={interrupt}
          choice={choice}
          onChoose={choose}
          given={given}
          onGive={(next) => {
            decision.forget();
            setGiven(next);
          }}
          edits={changed.length}
          busy={decision.busy}
          onSend={decision.send}
        />
      )}
    </article>
  );
}
