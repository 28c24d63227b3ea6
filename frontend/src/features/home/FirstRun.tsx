import { useMutation, useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
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

/** For somebody who has started nothing yet: watch a recording, ask an agent, bring one's own. */
export function FirstRun({ recorded }: { recorded: Session[] }) {
  const { t } = useTranslation('home');
  return (
    <Section title={t('firstRun')}>
      <ol className={styles.steps}>
        <li>
          <h3>{t('step1')}</h3>
          <p>{t('step1Text')}</p>
          {recorded.length === 0 && <p className={styles.muted}>{t('noRecorded')}</p>}
          <ul>
            {recorded.map((session) => (
              <li key={session.id}>
                <Link to={`/s/${session.id}?at=1`}>{session.title}</Link>
              </li>
            ))}
          </ul>
        </li>
        <li>
          <h3>{t('step2')}</h3>
          <p>{t('step2Text')}</p>
          <Ask />
        </li>
        <li>
          <h3>{t('step3')}</h3>
          <p>{t('step3Text')}</p>
          <div className={styles.code}>
            <pre>{OWN_AGENT}</pre>
            <CopyButton text={OWN_AGENT} />
          </div>
        </li>
      </ol>
    </Section>
  );
}
