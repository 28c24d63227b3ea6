import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Session } from '../../api/types';
import { useAgentLabel } from '../../api/use-agent-label';
import { useMe } from '../../api/use-me';
import { StatusBadge } from '../../ui/badges';
import { BranchMark } from '../../ui/BranchMark';
import { Count, Money, Time } from '../../ui/figures';
import { PlainText } from '../../ui/PlainText';
import type { Column } from '../../ui/Table';
import styles from './sessions.module.css';

/** Tokens in and out together; unknown when either is. */
const tokensOf = ({ usage }: Session): number | null => (usage.input === null || usage.output === null ? null : usage.input + usage.output);

function Title({ session }: { session: Session }) {
  const { t } = useTranslation('sessions');
  return (
    <span className={styles.title}>
      <Link to={`/s/${session.id}`} data-row={session.id}>
        {session.title ? <PlainText>{session.title}</PlainText> : t('untitled')}
      </Link>
      <BranchMark session={session} />
      <span className={styles.last}>{session.last && <PlainText>{session.last.label}</PlainText>}</span>
    </span>
  );
}

export function useSessionColumns(): Column<Session>[] {
  const { t } = useTranslation('sessions');
  const { can } = useMe();
  const label = useAgentLabel();
  return [
    {
      key: 'status',
      header: t('status'),
      cell: (session) => <StatusBadge status={session.status} waitingFor={session.waiting_for} lost={session.lost} mine={can.approve} />,
    },
    { key: 'title', main: true, header: t('titleColumn'), cell: (session) => <Title session={session} /> },
    {
      key: 'agent',
      header: t('agent'),
      wideOnly: true,
      cell: (session) => (
        <span className={styles.agent}>
          {label(session.agent, session.agent_name)} <span className={styles.muted}>v{session.version}</span>
        </span>
      ),
    },
    { key: 'events', header: t('events'), align: 'end', wideOnly: true, cell: (session) => <Count value={session.head_seq} /> },
    { key: 'tokens', header: t('tokens'), align: 'end', wideOnly: true, cell: (session) => <Count value={tokensOf(session)} /> },
    { key: 'cost', header: t('cost'), align: 'end', wideOnly: true, cell: (session) => <Money amount={session.cost} /> },
    { key: 'active', header: t('active'), align: 'end', cell: (session) => <Time at={session.updated_at} /> },
  ];
}
