import { GitBranch, GitCompare } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Session } from '../../../api/types';
import { useMe } from '../../../api/use-me';
import { StatusBadge } from '../../../ui/badges';
import { formatTimeOfDay, formatUtc } from '../../../ui/format';
import { Controls } from '../control/Controls';
import { Figures } from './Figures';
import { Held } from './Held';
import styles from './SessionHeader.module.css';
import { TitleEditor } from './TitleEditor';
import { VerifyBadge } from './VerifyBadge';

interface SessionHeaderProps {
  session: Session;
  heading: RefObject<HTMLHeadingElement | null>;
  onMessage: () => void;
  onBranch?: (seq: number) => void;
  onShare?: () => void;
}

/** Where a branch comes from; a link to the place where it left. */
function ParentLink({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  if (session.parent === null) return null;
  return (
    <>
      <Link className={styles.parent} to={`/s/${session.parent}?at=${session.fork_seq}&e=${session.fork_seq}`}>
        <GitBranch size={14} aria-hidden="true" />
        {t('branchOf', { seq: session.fork_seq })}
      </Link>
      <Link className={styles.parent} to={`/compare/${session.parent}..${session.id}`}>
        <GitCompare size={14} aria-hidden="true" />
        {t('compareWithParent')}
      </Link>
    </>
  );
}

/** Until when it waits, if it is time that it waits for. */
function Until({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  if (session.status !== 'waiting' || session.waiting_for !== 'time' || session.due_at === null) return null;
  return (
    <time className={styles.until} dateTime={session.due_at} title={formatUtc(session.due_at)}>
      {t('until', { time: formatTimeOfDay(session.due_at) })}
    </time>
  );
}

export function SessionHeader({ session, heading, onMessage, onBranch, onShare }: SessionHeaderProps) {
  const { can } = useMe();
  return (
    <header className={styles.head}>
      <TitleEditor session={session} heading={heading} editable={can.operate} />
      <StatusBadge status={session.status} waitingFor={session.waiting_for} lost={session.lost} mine={can.approve} />
      <Until session={session} />
      <ParentLink session={session} />
      <Figures since={session.fork_seq} />
      <div className={styles.actions}>
        <VerifyBadge id={session.id} />
        {can.operate && <Controls session={session} onMessage={onMessage} onBranch={onBranch} onShare={onShare} />}
      </div>
      <Held session={session} />
    </header>
  );
}
