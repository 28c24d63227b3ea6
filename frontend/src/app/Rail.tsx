import { Bot, Hand, House, List, type LucideIcon, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { CountBadge } from '../ui/badges';
import { Tooltip } from '../ui/Tooltip';
import { PlayheadMark } from './PlayheadMark';
import styles from './Shell.module.css';
import { useMe } from '../api/use-me';

type Place = 'home' | 'sessions' | 'approvals' | 'agents' | 'users';

const PLACES: { name: Place; to: string; icon: LucideIcon }[] = [
  { name: 'home', to: '/', icon: House },
  { name: 'sessions', to: '/sessions', icon: List },
  { name: 'approvals', to: '/approvals', icon: Hand },
  { name: 'agents', to: '/agents', icon: Bot },
];

/** The way between the pages; at the bottom on a phone. The number is what waits for the person who looks. */
export function Rail({ pending }: { pending: number }) {
  const { t } = useTranslation('shell');
  const me = useMe();
  const places = me.can.admin ? [...PLACES, { name: 'users' as const, to: '/users', icon: Users }] : PLACES;
  return (
    <nav className={styles.rail} aria-label={t('main')}>
      <span className={styles.mark}>
        <PlayheadMark />
      </span>
      {places.map(({ name, to, icon: Icon }) => {
        const waiting = name === 'approvals' ? pending : 0;
        const label = waiting > 0 ? `${t(name)}, ${t('waitsForYou', { count: waiting })}` : t(name);
        return (
          <Tooltip key={name} text={label} side="right">
            <NavLink to={to} end={to === '/'} className={styles.item}>
              <Icon size={19} strokeWidth={1.75} aria-hidden="true" />
              <span className={styles.badge} aria-hidden="true">
                <CountBadge value={waiting} strong />
              </span>
              <span className={styles.word}>{t(name)}</span>
              {waiting > 0 && <span className={styles.said}>{t('waitsForYou', { count: waiting })}</span>}
            </NavLink>
          </Tooltip>
        );
      })}
    </nav>
  );
}
