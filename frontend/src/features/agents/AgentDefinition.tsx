import { useTranslation } from 'react-i18next';
import type { Agent, Json } from '../../api/types';
import { JsonTree } from '../../ui/JsonTree';
import { Section } from '../../ui/page';
import { PlainText } from '../../ui/PlainText';
import styles from './agents.module.css';

function Middleware({ entry }: { entry: Agent['middleware'][number] }) {
  const { use, ...config } = entry;
  return (
    <li>
      <code>{use}</code>
      {Object.keys(config).length > 0 && <JsonTree value={config as Json} />}
    </li>
  );
}

/** What is limited besides the steps: calls, tokens, money. */
function OtherLimits({ limits }: { limits: Agent['limits'] }) {
  const { t } = useTranslation('agents');
  const set = Object.entries(limits).filter(([name, value]) => name !== 'max_steps' && value !== null);
  if (set.length === 0) return null;
  return (
    <>
      <dt>{t('otherLimits')}</dt>
      <dd>
        <JsonTree value={Object.fromEntries(set)} />
      </dd>
    </>
  );
}

/** The stored definition of an agent, with the names that its code uses. */
export function AgentDefinition({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents');
  return (
    <Section title={t('definition', { version: agent.version })}>
      <dl className={styles.facts}>
        <dt>{t('slug')}</dt>
        <dd>
          <code>{agent.slug}</code>
        </dd>
        <dt>{t('model')}</dt>
        <dd>
          <code>{agent.model}</code>
        </dd>
        <dt>{t('strategy')}</dt>
        <dd>
          <code>{agent.strategy}</code>
        </dd>
        <dt>{t('maxSteps')}</dt>
        <dd>{agent.limits.max_steps}</dd>
        <OtherLimits limits={agent.limits} />
        <dt>{t('middleware')}</dt>
        <dd>
          {agent.middleware.length === 0 ? (
            t('noMiddleware')
          ) : (
            <ol>
              {agent.middleware.map((entry, index) => (
                <Middleware key={`${entry.use}-${index}`} entry={entry} />
              ))}
            </ol>
          )}
        </dd>
        <dt>{t('instructions')}</dt>
        <dd>{agent.instructions ? '' : t('noInstructions')}</dd>
      </dl>
      {agent.instructions && (
        <div className={styles.text}>
          <PlainText>{agent.instructions}</PlainText>
        </div>
      )}
    </Section>
  );
}
