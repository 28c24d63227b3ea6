import { lazy, Suspense, useCallback } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Session } from '../../api/types';
import { SessionPage } from '../../features/session/SessionPage';
import { Skeleton } from '../../ui/states';
import { useSearch } from '../../ui/use-search';

const SessionInterrupt = lazy(async () => ({ default: (await import('../../features/approvals/SessionInterrupt')).SessionInterrupt }));
const BranchDialog = lazy(async () => ({ default: (await import('../../features/branch/BranchDialog')).BranchDialog }));
const ShareDialog = lazy(async () => ({ default: (await import('../../features/share/ShareDialog')).ShareDialog }));

/** The dialogs over a session, each with a place in the address: `?branch=<seq>`, `?share=1`. */
function useDialogs() {
  const [search, edit] = useSearch();
  const change = useCallback(
    (name: 'branch' | 'share', value: string | null) =>
      edit((now) => {
        if (value === null) now.delete(name);
        else now.set(name, value);
        return now;
      }),
    [edit],
  );
  const branch = Number(search.get('branch'));
  return { branch: Number.isSafeInteger(branch) && branch > 0 ? branch : null, share: search.has('share'), change };
}

function renderInterrupt(session: Session, seq: number) {
  return (
    <Suspense fallback={<Skeleton rows={6} />}>
      <SessionInterrupt sessionId={session.id} seq={seq} />
    </Suspense>
  );
}

/** A session under its id: another id is another page, with a state of its own. */
export function SessionRoute() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { branch, share, change } = useDialogs();
  return (
    <>
      <SessionPage
        key={id}
        id={id}
        onBranch={(_, seq) => change('branch', String(seq))}
        onShare={() => change('share', '1')}
        renderInterrupt={renderInterrupt}
      />
      <Suspense fallback={null}>
        {branch !== null && (
          <BranchDialog sessionId={id} seq={branch} onClose={() => change('branch', null)} onBranched={(session) => void navigate(`/s/${session.id}`)} />
        )}
        {share && <ShareDialog sessionId={id} onClose={() => change('share', null)} />}
      </Suspense>
    </>
  );
}
