import { isRouteErrorResponse, useNavigate, useRouteError } from 'react-router';
import { ApiError } from '../api/errors';
import { ErrorState } from '../ui/states';
import { NotFound } from './NotFound';

/** What a page shows in its own place when it cannot be opened. */
export function RouteError() {
  const error = useRouteError();
  const navigate = useNavigate();
  const status = isRouteErrorResponse(error) || error instanceof ApiError ? error.status : null;
  if (status === 404) return <NotFound />;
  return <ErrorState error={error} onRetry={() => void navigate(0)} />;
}
