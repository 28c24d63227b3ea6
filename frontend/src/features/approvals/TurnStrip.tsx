import { CircleCheck, CircleDashed } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Interrupt } from '../../api/types';
import { sessionAddress } from './CardHead';
import styles from './decision.module.css';

/** The calls that the model asked for in one turn: each is decided alone, and the agent goes on after the last. */
export function TurnStrip({ interrupt, siblings, inSession }: { interrupt: Interrupt; siblings: Interrupt[]; inSession: boolean }) {
  const { t } = useTranslation('approvals');
  const decided = siblings.filter((each) => each.status !== 'pending').length;
  return (
    <div className={styles.turn}>
      <p>
        <strong>{t('decidedOf', { decided, count: siblings.length })}</strong> {t('goesOnAfter')}
      </p>
      <ol>
        {siblings.map((each) => {
          const Icon = each.status === 'pending' ? CircleDashed : CircleCheck;
          return (
            <li key={each.id} aria-current={each.id === interrupt.id ? 'true' : undefined}>
              <Icon size={13} aria-hidden="true" />
              {each.id === interrupt.id ? <code>{each.tool}</code> : <Link to={inSession ? sessionAddress(each) : `/approvals?sel=${each.id}`} replace><code>{each.tool}</code></Link>}
              <span className={styles.muted}>{each.status === 'pending' ? t('waits') : t(`status.${each.status}`)}</span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
