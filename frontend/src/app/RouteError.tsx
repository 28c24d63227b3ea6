import { isRouteErrorResponse, useNavigate, useRouteError } from 'react-router';
import { ErrorState } from '../ui/states';
import { NotFound } from './NotFound';

/** What a page shows in its own place when it cannot be opened. */
export function RouteError() {
  const error = useRouteError();
  const navigate = useNavigate();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />;
  return <ErrorState error={error} onRetry={() => void navigate(0)} />;
}
