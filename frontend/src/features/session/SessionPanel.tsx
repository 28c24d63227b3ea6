import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { sessionQuery } from '../../api/sessions';
import type { Session } from '../../api/types';
import { useMe } from '../../api/use-me';
import { RowIndex } from '../../model/rows';
import { StatusBadge } from '../../ui/badges';
import { MarkdownText } from '../../ui/MarkdownText';
import { ErrorState, Skeleton } from '../../ui/states';
import { Announcer } from './Announcer';
import { SessionContext, type SessionScope, useFeed } from './context';
import { Figures } from './header/Figures';
import { EventList } from './list/EventList';
import { createPlayhead } from './playhead';
import styles from './SessionPanel.module.css';
import type { SessionSource } from './source';
import { useFresh, useLiveSource } from './use-live-source';

interface SessionPanelProps {
  id: string;
  /** What waits for a person, from the feature that decides. */
  renderQuestions: (session: Session) => ReactNode;
}

/** Always at the newest event; a selected one only shows where the whole of it is. */
function useScope(source: SessionSource): { scope: SessionScope; selected: number | null } {
  const [selected, select] = useState<number | null>(null);
  const [playhead] = useState(() => createPlayhead(source.headers, null));
  const [rows] = useState(() => new RowIndex(source.headers));
  useEffect(() => () => playhead.destroy(), [playhead]);
  const scope = useMemo(() => ({ source, rows, playhead, select, goTo: select }), [source, rows, playhead]);
  return { scope, selected };
}

function Head({ session, selected }: { session: Session; selected: number | null }) {
  const { t } = useTranslation('session');
  const { can } = useMe();
  const place = selected === null ? '' : `?e=${selected}`;
  return (
    <div className={styles.head}>
      <StatusBadge status={session.status} waitingFor={session.waiting_for} lost={session.lost} mine={can.approve} />
      <span className={styles.version}>v{session.version}</span>
      <Figures />
      <Link className={styles.whole} to={`/s/${session.id}${place}`}>
        <ExternalLink size={14} aria-hidden="true" />
        {selected === null ? t('panel.whole') : t('panel.event', { seq: selected })}
      </Link>
    </div>
  );
}

function Answer({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  if (session.answer) {
    return (
      <section className={styles.answer} aria-label={t('panel.answer')}>
        <MarkdownText>{session.answer}</MarkdownText>
      </section>
    );
  }
  if (!session.error) return null;
  return (
    <p className={styles.failed} role="alert">
      <code>{session.error.code}</code> {session.error.message}
    </p>
  );
}

function Events({ selected }: { selected: number | null }) {
  const loaded = useFeed((state) => state.loaded);
  const error = useFeed((state) => state.error);
  return (
    <div className={styles.events}>
      {error !== null && <ErrorState error={error} />}
      {!loaded && error === null && <Skeleton rows={6} />}
      {loaded && <EventList filter="" selected={selected} onClearFilter={() => undefined} />}
    </div>
  );
}

function OpenPanel({ stored, source, renderQuestions }: { stored: Session; source: SessionSource } & Pick<SessionPanelProps, 'renderQuestions'>) {
  const session = useFresh(stored, source);
  const { scope, selected } = useScope(source);
  return (
    <SessionContext value={scope}>
      <div className={styles.panel}>
        <Head session={session} selected={selected} />
        {renderQuestions(session)}
        <Answer session={session} />
        <Events selected={selected} />
        <Announcer />
      </div>
    </SessionContext>
  );
}

/** A session as it happens, small: status, what it asks, its answer and its events, and the way to the whole of it. */
export function SessionPanel({ id, renderQuestions }: SessionPanelProps) {
  const session = useQuery(sessionQuery(id));
  const source = useLiveSource(id);
  if (session.isError && !session.data) return <ErrorState error={session.error} onRetry={() => void session.refetch()} />;
  if (!session.data || !source || source.id !== id) return <Skeleton rows={6} />;
  return <OpenPanel key={id} stored={session.data} source={source} renderQuestions={renderQuestions} />;
}
