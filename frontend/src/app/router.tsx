import type { QueryClient } from '@tanstack/react-query';
import { createBrowserRouter, type LoaderFunctionArgs, redirect, type RouteObject } from 'react-router';
import { meQuery } from '../api/accounts';
import { ApiError } from '../api/errors';
import { expectHeads } from '../api/sessions';
import { signInByLinkLoader } from '../features/auth/sign-in-by-link';
import { loadEditorTexts, loadWorkspaceTexts } from '../i18n';
import { NotFound } from './NotFound';
import { PublicLayout } from './PublicLayout';
import { RouteError } from './RouteError';

/** Sends a stranger to the sign-in page and remembers where they wanted to go. */
function requireMe(queries: QueryClient) {
  return async ({ request }: LoaderFunctionArgs) => {
    try {
      return await queries.ensureQueryData(meQuery);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const { pathname, search } = new URL(request.url);
      throw redirect(`/login?next=${encodeURIComponent(pathname + search)}`);
    }
  };
}

/** Pages inside the shell. A page is a module of its own, loaded when it is first opened. */
const pages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('../features/home/HomePage')).HomePage }) },
  { path: 'sessions', lazy: async () => ({ Component: (await import('../features/sessions/SessionsPage')).SessionsPage }) },
  { path: 'approvals', lazy: async () => ({ Component: (await import('../features/approvals/ApprovalsPage')).ApprovalsPage }) },
  { path: 'approvals/:id', lazy: async () => ({ Component: (await import('./pages/ApprovalRoute')).ApprovalRoute }) },
  { path: 'agents', lazy: async () => ({ Component: (await import('../features/agents/AgentsPage')).AgentsPage }) },
  {
    path: 'agents/new',
    lazy: async () => {
      const [{ NewAgentRoute }] = await Promise.all([import('./pages/EditorRoute'), loadEditorTexts()]);
      return { Component: NewAgentRoute };
    },
  },
  {
    path: 'agents/:slug/edit',
    lazy: async () => {
      const [{ EditorRoute }] = await Promise.all([import('./pages/EditorRoute'), loadEditorTexts()]);
      return { Component: EditorRoute };
    },
  },
  { path: 'agents/:slug/v/:number', lazy: async () => ({ Component: (await import('./pages/VersionRoute')).VersionRoute }) },
  { path: 'agents/:slug/diff/:pair', lazy: async () => ({ Component: (await import('./pages/VersionDiffRoute')).VersionDiffRoute }) },
  { path: 'agents/:slug', lazy: async () => ({ Component: (await import('./pages/AgentRoute')).AgentRoute }) },
  {
    path: 's/:id',
    lazy: async () => ({ Component: (await import('./pages/SessionRoute')).SessionRoute }),
    // The events are on their way while the page that shows them is still being loaded.
    loader: ({ params }) => {
      expectHeads(params.id ?? '');
      return null;
    },
    shouldRevalidate: ({ currentParams, nextParams }) => currentParams.id !== nextParams.id,
  },
  { path: 's/:id/events/:seq', lazy: async () => ({ loader: (await import('./pages/event-permalink')).eventPermalink }) },
  { path: 'compare/:pair', lazy: async () => ({ Component: (await import('./pages/CompareRoute')).CompareRoute }) },
  { path: 'users', lazy: async () => ({ Component: (await import('../features/users/UsersPage')).UsersPage }) },
];

/** Pages that need no sign-in. */
const publicPages = (queries: QueryClient): RouteObject[] => [
  { path: 'r/:token', lazy: async () => ({ Component: (await import('./pages/SharedReplayRoute')).SharedReplayRoute }) },
  { path: 'login', lazy: async () => ({ Component: (await import('../features/auth/SignInPage')).SignInPage }) },
  {
    path: 'login/link/:token',
    loader: signInByLinkLoader(queries),
    lazy: async () => ({ Component: (await import('../features/auth/LinkRefusedPage')).LinkRefusedPage }),
  },
];

export function createRouter(queries: QueryClient) {
  return createBrowserRouter([
    {
      Component: PublicLayout,
      errorElement: <RouteError />,
      HydrateFallback: () => null,
      children: publicPages(queries).map((page) => ({ ...page, errorElement: <RouteError /> })),
    },
    {
      path: '/',
      // By itself, so that a shared replay does not load what only people who are signed in see.
      lazy: async () => {
        const [{ Shell }] = await Promise.all([import('./Shell'), loadWorkspaceTexts()]);
        return { Component: Shell };
      },
      loader: requireMe(queries),
      errorElement: <RouteError />,
      HydrateFallback: () => null,
      shouldRevalidate: () => false,
      children: [{ errorElement: <RouteError />, children: [...pages, { path: '*', Component: NotFound }] }],
    },
  ]);
}
