import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../../api/sessions';
import type { Session } from '../../api/types';
import { useAgentLabel } from '../../api/use-agent-label';
import { useMe } from '../../api/use-me';
import { usePage } from '../../ui/page-context';
import { ErrorState, Skeleton, throwMissing } from '../../ui/states';
import { Announcer } from './Announcer';
import { Composer } from './control/Composer';
import { CopyStateLink } from './CopyStateLink';
import { SessionHeader } from './header/SessionHeader';
import { SessionView } from './SessionView';
import type { SessionSource } from './source';
import { useFresh, useLiveSource } from './use-live-source';

interface SessionPageProps {
  id: string;
  /** Opens the branch dialog at an event; composed by the app. */
  onBranch?: (session: Session, seq: number) => void;
  onShare?: (session: Session) => void;
  renderInterrupt?: (session: Session, seq: number) => ReactNode;
}

function OpenSession({ stored, source, onBranch, onShare, renderInterrupt }: Omit<SessionPageProps, 'id'> & { stored: Session; source: SessionSource }) {
  const { t } = useTranslation('shell');
  const { can } = useMe();
  const session = useFresh(stored, source);
  const label = useAgentLabel();
  const heading = usePage({
    title: session.title,
    titleInPage: true,
    crumbs: [
      { label: t('sessions'), to: '/sessions' },
      { label: label(session.agent, session.agent_name), to: `/agents/${session.agent}` },
    ],
  });
  const [writing, setWriting] = useState(false);
  const branch = onBranch && can.operate ? (seq: number) => onBranch(session, seq) : undefined;
  return (
    <SessionView
      source={source}
      onBranch={branch}
      renderInterrupt={renderInterrupt && ((seq) => renderInterrupt(session, seq))}
      header={
        <SessionHeader
          session={session}
          heading={heading}
          onMessage={() => setWriting(true)}
          onBranch={branch}
          onShare={onShare && (() => onShare(session))}
        />
      }
      footer={
        <>
          {writing && <Composer session={session} onClose={() => setWriting(false)} />}
          <Announcer />
          <CopyStateLink />
        </>
      }
    />
  );
}

export function SessionPage({ id, ...rest }: SessionPageProps) {
  const session = useQuery(sessionQuery(id));
  const source = useLiveSource(id);
  if (!session.data) throwMissing(session.error);
  if (session.isError && !session.data) return <ErrorState error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data || !source) return <Skeleton rows={16} />;
  return <OpenSession stored={session.data} source={source} {...rest} />;
}
