import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { createMemoryRouter, MemoryRouter, type RouteObject, RouterProvider } from 'react-router';
import { meQuery } from '../api/accounts';
import type { Me, Role } from '../api/types';
import { handleKey } from '../ui/keyboard/registry';

const ROLES: Role[] = ['viewer', 'operator', 'approver', 'editor', 'admin'];

export function somebody(role: Role): Me {
  const at = ROLES.indexOf(role);
  const can = { operate: at >= 1, approve: at >= 2, edit: at >= 3, admin: at >= 4, reveal: at >= 2 };
  return { id: 'u1', kind: 'user', email: 'me@here', name: 'Me', role, workspace: { id: 'w1', name: 'Here' }, csrf: 'x', can };
}

function queriesOf(role: Role): QueryClient {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  queries.setQueryData(meQuery.queryKey, somebody(role));
  window.removeEventListener('keydown', handleKey);
  window.addEventListener('keydown', handleKey);
  return queries;
}

/** Renders pages under their addresses, for what holds or changes the way between them. */
export function renderRoutesAs(role: Role, routes: RouteObject[], address: string) {
  const queries = queriesOf(role);
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const view = render(
    <QueryClientProvider client={queries}>
      <Suspense>
        <RouterProvider router={router} />
      </Suspense>
    </QueryClientProvider>,
  );
  return { ...view, queries, router };
}

/** Renders a part of a page as the person with a role sees it, with the keys of the page at work. */
export function renderAs(role: Role, page: ReactNode, address = '/') {
  const queries = queriesOf(role);
  const view = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[address]}>
        <Suspense>{page}</Suspense>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, queries };
}
