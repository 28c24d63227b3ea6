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

/** A fact of several values; nothing where none is set. */
function Values({ title, values }: { title: string; values: Record<string, unknown> }) {
  const set = Object.entries(values).filter(([, value]) => value !== null);
  if (set.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        <JsonTree value={Object.fromEntries(set) as Json} />
      </dd>
    </>
  );
}

/** The stored definition of an agent, with the names that its code uses. */
export function AgentDefinition({ agent }: { agent: Agent }) {
  const { t } = useTranslation('agents');
  const { max_steps: maxSteps, ...limits } = agent.limits;
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
        <Values title={t('params')} values={agent.params ?? {}} />
        <dt>{t('strategy')}</dt>
        <dd>
          <code>{agent.strategy}</code>
        </dd>
        <Values title={t('options')} values={agent.options ?? {}} />
        <dt>{t('maxSteps')}</dt>
        <dd>{maxSteps}</dd>
        <Values title={t('otherLimits')} values={limits} />
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
