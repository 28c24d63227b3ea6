import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '../../../api/types';
import { Badge } from '../../../ui/badges';
import { PlainText } from '../../../ui/PlainText';
import styles from './inspector.module.css';
import { listIn, numberIn, stringIn } from './payload';
import { EventRef, Part } from './parts';

/** What a guard looked at, what it found there, and what it did. */
export function GuardFindings({ payload }: { payload: JsonObject | null }) {
  const { t } = useTranslation('session');
  const verdict = stringIn(payload, 'verdict') ?? '';
  const passed = verdict === 'pass';
  const of = numberIn(payload, 'of');
  const findings = listIn(payload, 'findings') as JsonObject[];
  return (
    <>
      <div className={styles.bar}>
        <Badge tone={passed ? 'ok' : verdict === 'block' ? 'failed' : 'waiting'} icon={passed ? <ShieldCheck size={14} /> : <ShieldAlert size={14} />}>
          {verdict && t(`note.${verdict as 'block'}`)}
        </Badge>
        <span>{[stringIn(payload, 'guard'), stringIn(payload, 'category'), stringIn(payload, 'stage')].filter(Boolean).join(' · ')}</span>
        {of !== null && <EventRef seq={of} />}
      </div>
      {findings.length > 0 && (
        <Part label={t('findings')}>
          {findings.map((finding, index) => (
            <div key={index} className={styles.block}>
              <code>{stringIn(finding, 'type')}</code> <PlainText>{stringIn(finding, 'excerpt') ?? ''}</PlainText>
            </div>
          ))}
        </Part>
      )}
    </>
  );
}
