import { lazy, Suspense } from 'react';
import { useNavigate, useSearchParams } from 'react-router';

const StartDialog = lazy(async () => ({ default: (await import('../features/start/StartDialog')).StartDialog }));

/** The start dialog over any page: `?start=<agent>` opens it, so that it can be linked to. */
export function StartLayer() {
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const slug = search.get('start');
  if (slug === null) return null;
  const close = () => {
    search.delete('start');
    search.delete('ask');
    setSearch(search, { replace: true });
  };
  return (
    <Suspense fallback={null}>
      <StartDialog slug={slug} input={search.get('ask') ?? ''} onClose={close} onStarted={(session) => void navigate(`/s/${session.id}`)} />
    </Suspense>
  );
}
