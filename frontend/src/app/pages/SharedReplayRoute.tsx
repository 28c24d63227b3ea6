import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router';
import { sharedReplayQuery } from '../../api/shares';
import type { SharedReplay } from '../../api/types';
import { SessionView } from '../../features/session/SessionView';
import { LinkGone } from '../../features/share/LinkGone';
import { ReplayHeader } from '../../features/share/ReplayHeader';
import { Skeleton } from '../../ui/states';
import { ShortcutLayer } from '../ShortcutLayer';
import { useKeyListener } from '../use-key-listener';
import { useWindowTitle } from '../use-window-title';
import { sharedSource } from './shared-source';

function Replay({ token, replay }: { token: string; replay: SharedReplay }) {
  const source = useMemo(() => sharedSource(token, replay), [token, replay]);
  useKeyListener();
  useWindowTitle(replay.title, 0);
  return (
    <>
      <SessionView source={source} header={<ReplayHeader replay={replay} />} />
      <ShortcutLayer />
    </>
  );
}

/** What a share link opens: the session view over a frozen range, with nothing to control and nothing of the workspace. */
export function SharedReplayRoute() {
  const { token = '' } = useParams();
  const query = useQuery(sharedReplayQuery(token));
  if (query.data) return <Replay key={token} token={token} replay={query.data} />;
  return query.isError ? <LinkGone error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton rows={16} />;
}
