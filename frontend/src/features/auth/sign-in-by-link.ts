import type { QueryClient } from '@tanstack/react-query';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { signInByLink } from '../../api/accounts';
import { ApiError } from '../../api/errors';

/** Uses up a one-time link, once per opening, and goes on; gives the refusal to the page that explains it. */
export function signInByLinkLoader(queries: QueryClient) {
  return async ({ params }: LoaderFunctionArgs): Promise<ApiError> => {
    try {
      await signInByLink(params.token ?? '');
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
    queries.clear();
    throw redirect('/');
  };
}
