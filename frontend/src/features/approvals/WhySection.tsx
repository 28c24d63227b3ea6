import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { contextQuery } from '../../api/sessions';
import type { Interrupt, Json } from '../../api/types';
import { headlineOf } from '../../model/headline';
import { isObject } from '../../model/json';
import { JsonTree } from '../../ui/JsonTree';
import { PlainText } from '../../ui/PlainText';
import styles from './approvals.module.css';
import { sessionAddress } from './CardHead';
import { isNested, reasonsFor } from './reasons';

/** How far back the words are looked for that led to the question; a sub-agent's person spoke long before. */
const LOOK_BACK = { own: 40, nested: 400 };

function Words({ label, text }: { label: string; text: string }) {
  if (!text) return null;
  return (
    <div className={styles.words}>
      <h4>{label}</h4>
      <div className={styles.quote}>
        <PlainText>{text}</PlainText>
      </div>
    </div>
  );
}

function Info({ info }: { info: Json }) {
  const { t } = useTranslation('approvals');
  if (info === null) return null;
  if (typeof info === 'string') return <Words label={t('itSays')} text={info} />;
  return (
    <div className={styles.words}>
      <h4>{t('itSays')}</h4>
      <JsonTree value={info} />
    </div>
  );
}

/** What a guard stopped, by place: the kind of the finding and the words. */
function Findings({ info }: { info: Json }) {
  const { t } = useTranslation('approvals');
  const places = (Array.isArray(info) ? info : []).filter(isObject);
  return (
    <div className={styles.words}>
      <h4>{t('found')}</h4>
      <ul>
        {places.flatMap(({ stage, findings }, place) =>
          (Array.isArray(findings) ? findings.filter(isObject) : []).map(({ type, excerpt }, index) => (
            <li key={`${place} ${index}`}>
              <code>{String(type)}</code> {t(`stage.${stage === 'tool' || stage === 'output' ? stage : 'input'}`)}
              {typeof excerpt === 'string' && (
                <div className={styles.quote}>
                  <PlainText>{excerpt}</PlainText>
                </div>
              )}
            </li>
          )),
        )}
      </ul>
    </div>
  );
}

/** What people and the agent said before the question, as plain text: an agent must not style its own request. */
export function WhySection({ interrupt }: { interrupt: Interrupt }) {
  const { t } = useTranslation('approvals');
  const back = LOOK_BACK[isNested(interrupt.address) ? 'nested' : 'own'];
  const query = useQuery(contextQuery(interrupt.session, Math.max(0, interrupt.seq - back), interrupt.seq));
  const { asked, step, task, said, response } = reasonsFor(interrupt, query.data?.items ?? []);
  return (
    <section className={styles.part}>
      <h3>{t('why')}</h3>
      {interrupt.kind === 'guard' && Array.isArray(interrupt.info) && <Findings info={interrupt.info} />}
      {interrupt.kind !== 'budget' && interrupt.kind !== 'guard' && interrupt.info !== headlineOf(interrupt) && <Info info={interrupt.info} />}
      <Words label={t('asked')} text={asked} />
      <Words label={t('planStep')} text={step} />
      <Words label={t('task')} text={task} />
      <Words label={t('agentSays')} text={said} />
      {query.isError && <p className={styles.muted}>{t('contextFailed')}</p>}
      <p className={styles.links}>
        <Link to={sessionAddress(interrupt)}>{t('eventsBefore')}</Link>
        {response && <Link to={`/s/${interrupt.session}?at=${interrupt.seq}&e=${response.seq}&tab=prompt`}>{t('prompt')}</Link>}
      </p>
    </section>
  );
}
