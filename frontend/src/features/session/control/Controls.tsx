import { useQuery } from '@tanstack/react-query';
import { GitBranch, Hand, MessageSquarePlus, Pause, Play, RotateCw, Share2, Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { interruptListQuery } from '../../../api/interrupts';
import type { Session } from '../../../api/types';
import { Button, ButtonLink, IconButton } from '../../../ui/Button';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';
import { jump } from '../../../model/playback';
import { useLogVersion, useSessionScope } from '../context';
import { useSearch } from '../../../ui/use-search';
import styles from '../header/SessionHeader.module.css';
import { changeUrl } from '../url-state';
import { CancelDialog } from './CancelDialog';
import { isEnded, useControl } from './use-control';

interface ControlsProps {
  session: Session;
  onMessage: () => void;
  onBranch?: (seq: number) => void;
  onShare?: () => void;
}

/** Pending questions of this session that the person who looks may answer: the first that was asked, and the retry among them. */
function usePending(session: Session) {
  const { data } = useQuery({ ...interruptListQuery({ status: 'pending', session: session.id }), enabled: session.pending > 0 });
  const items = session.pending > 0 ? (data?.items ?? []).filter((each) => each.can_decide).toSorted((a, b) => a.seq - b.seq) : [];
  return { first: items.find((each) => each.kind !== 'retries'), retries: items.find((each) => each.kind === 'retries') };
}

function PauseOrResume({ session, reason }: { session: Session; reason: string | null }) {
  const { t } = useTranslation('session');
  const { pause, resume } = useControl(session);
  const paused = session.status === 'paused';
  const toggle = () => (paused ? resume.mutate() : pause.mutate());
  useShortcuts('control', [{ keys: ['p'], label: t('keys.pause'), run: () => reason === null && !isEnded(session) && toggle() }]);
  if (isEnded(session)) return null;
  return (
    <Button variant="act" icon={paused ? <Play size={14} /> : <Pause size={14} />} kbd="P" busy={pause.isPending || resume.isPending} disabledReason={reason} onClick={toggle}>
      <span className={styles.word}>{paused ? t('control.resume') : pause.isPending ? t('control.pausing') : t('control.pause')}</span>
    </Button>
  );
}

/** Everything here makes the agent do or stop something; the transport below only reads. Who may only look has none of it. */
export function Controls({ session, onMessage, onBranch, onShare }: ControlsProps) {
  const { t } = useTranslation('session');
  const { source, playhead } = useSessionScope();
  useLogVersion();
  const { cancel, retry } = useControl(session);
  const { first, retries } = usePending(session);
  const [search] = useSearch();
  const [cancelling, setCancelling] = useState(false);
  // What was recorded elsewhere never runs on itself: only a branch of it does.
  const shut = session.imported ? t('control.imported') : null;
  // A run that failed before it asked a model has nothing to run on from.
  const asked = jump(source.headers, source.headers.last + 1, 'model', -1) !== null;
  const retryable = retries !== undefined || (session.status === 'failed' && asked);
  useShortcuts('control', [
    { keys: ['s'], label: t('keys.message'), run: () => shut === null && onMessage() },
    { keys: ['mod+.'], label: t('keys.cancel'), run: () => shut === null && !isEnded(session) && setCancelling(true) },
  ]);
  return (
    <>
      {first && (
        <ButtonLink variant="primary" to={`?${changeUrl(search, { event: first.seq, tab: null })}`} icon={<Hand size={14} />}>
          {t('control.review')}
        </ButtonLink>
      )}
      {retryable && (
        <Button variant="act" icon={<RotateCw size={14} />} busy={retry.isPending} onClick={() => retry.mutate({ question: retries, headers: source.headers })}>
          <span className={styles.word}>{t('control.retry')}</span>
        </Button>
      )}
      <Button variant="act" icon={<MessageSquarePlus size={14} />} kbd="S" disabledReason={shut} onClick={onMessage}>
        <span className={styles.word}>{t('control.message')}</span>
      </Button>
      <PauseOrResume session={session} reason={shut} />
      {onBranch && (
        <Button variant="act" icon={<GitBranch size={14} />} onClick={() => onBranch(playhead.store.getState().seq)}>
          <span className={styles.word}>{t('control.branch')}</span>
        </Button>
      )}
      {onShare && (
        <Button icon={<Share2 size={14} />} onClick={onShare}>
          <span className={styles.word}>{t('control.share')}</span>
        </Button>
      )}
      {!isEnded(session) && (
        <IconButton variant="danger" label={t('control.cancel')} icon={<Square size={14} />} disabledReason={shut} onClick={() => setCancelling(true)} />
      )}
      <CancelDialog open={cancelling} onOpenChange={setCancelling} busy={cancel.isPending} onCancel={(why) => cancel.mutate(why, { onSuccess: () => setCancelling(false) })} />
    </>
  );
}
