import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Comparison, Session } from '../../api/types';
import { useMe } from '../../api/use-me';
import { StatusBadge } from '../../ui/badges';
import { BranchMark } from '../../ui/BranchMark';
import { Count, Money } from '../../ui/figures';
import styles from './compare.module.css';

function Side({ letter, session }: { letter: 'A' | 'B'; session: Session }) {
  const { t } = useTranslation('compare');
  const { can } = useMe();
  return (
    <div className={styles.side}>
      <span className={styles.letter}>{letter}</span>
      <Link className={styles.sideTitle} to={`/s/${session.id}`}>
        {session.title}
      </Link>
      <BranchMark session={session} />
      <StatusBadge status={session.status} waitingFor={session.waiting_for} lost={session.lost} mine={can.approve} />
      <span className={styles.muted}>
        <Money amount={session.cost} /> · <Count value={session.head_seq} /> {t('events')}
      </span>
    </div>
  );
}

/** The two sessions, each over its own column. */
export function Sides({ comparison }: { comparison: Comparison }) {
  return (
    <div className={styles.sides}>
      <Side letter="A" session={comparison.a} />
      <Side letter="B" session={comparison.b} />
    </div>
  );
}
