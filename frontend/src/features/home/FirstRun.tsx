import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleCheck, Play, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { agentListQuery } from '../../api/agents';
import { createSession } from '../../api/sessions';
import type { Session } from '../../api/types';
import { useMe } from '../../api/use-me';
import { Button } from '../../ui/Button';
import { CopyButton } from '../../ui/CopyButton';
import { Section } from '../../ui/page';
import { ErrorState } from '../../ui/states';
import styles from './home.module.css';
import type { FirstSteps } from './use-first-steps';

const OWN_AGENT = `from agents_app.engine import (
    AgentSpec,
    tool,
)

@tool
async def greet(name: str) -> str:
    """Greet somebody by name."""
    return f"Hello, {name}!"

AGENTS = [
    AgentSpec(slug="greeter", tools=[greet]),
]
`;

function Ask() {
  const { t } = useTranslation(['home', 'common']);
  const me = useMe();
  const navigate = useNavigate();
  const agents = useQuery(agentListQuery);
  const agent = agents.data?.items.find((each) => each.samples.length > 0);
  const ask = useMutation({
    mutationFn: (input: string) => createSession({ agent: agent?.slug ?? '', input }),
    onSuccess: (session) => navigate(`/s/${session.id}`),
  });
  const reason = me.can.operate ? null : t('common:needsRole', { role: t('common:role.operator') });
  if (!agent) return <Link to="/agents">{t('toAgents')}</Link>;
  return (
    <>
      <div className={styles.samples}>
        {agent.samples.slice(0, 3).map((sample) => (
          <Button key={sample} variant="act" icon={<Play size={14} />} busy={ask.isPending} disabledReason={reason} onClick={() => ask.mutate(sample)}>
            {sample}
          </Button>
        ))}
      </div>
      <p className={styles.muted}>{t('costsNothing', { agent: agent.name })}</p>
      {ask.error && <ErrorState error={ask.error} title={t('notStarted')} />}
    </>
  );
}

function StepTitle({ done, children }: { done: boolean; children: string }) {
  const { t } = useTranslation('home');
  return (
    <h3 className={styles.step}>
      {children}
      {done && (
        <span className={styles.done}>
          <CircleCheck size={14} aria-hidden="true" />
          {t('stepDone')}
        </span>
      )}
    </h3>
  );
}

/** For somebody new: watch a recording, ask an agent, bring one's own. It stays until all is done, or is sent away. */
export function FirstRun({ recorded, steps }: { recorded: Session[]; steps: FirstSteps }) {
  const { t } = useTranslation('home');
  const { can } = useMe();
  return (
    <Section
      title={t('firstRun')}
      aside={
        <Button variant="quiet" icon={<X size={14} />} onClick={() => steps.mark('dismissed')}>
          {t('dismiss')}
        </Button>
      }
    >
      <ol className={styles.steps}>
        <li>
          <StepTitle done={steps.done.watch}>{t('step1')}</StepTitle>
          <p>{t('step1Text')}</p>
          {recorded.length === 0 && <p className={styles.muted}>{t('noRecorded')}</p>}
          <ul>
            {recorded.map((session) => (
              <li key={session.id}>
                <Link to={`/s/${session.id}?at=1`} onClick={() => steps.mark('watched')}>
                  {session.title}
                </Link>
              </li>
            ))}
          </ul>
        </li>
        <li>
          <StepTitle done={steps.done.ask}>{t('step2')}</StepTitle>
          <p>{t('step2Text')}</p>
          <Ask />
        </li>
        <li>
          <StepTitle done={steps.done.bring}>{t('step3')}</StepTitle>
          <p>{t('step3Text')}</p>
          <div className={styles.code}>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard */}
            <pre tabIndex={0}>{OWN_AGENT}</pre>
            <CopyButton
              text={() => {
                steps.mark('brought');
                return OWN_AGENT;
              }}
            />
          </div>
          {can.edit && <Link to="/agents/new">{t('makeHere')}</Link>}
        </li>
      </ol>
    </Section>
  );
}
