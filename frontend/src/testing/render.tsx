import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { MemoryRouter } from 'react-router';
import { meQuery } from '../api/accounts';
import type { Me, Role } from '../api/types';
import { handleKey } from '../ui/keyboard/registry';

const ROLES: Role[] = ['viewer', 'operator', 'approver', 'editor', 'admin'];

export function somebody(role: Role): Me {
  const at = ROLES.indexOf(role);
  const can = { operate: at >= 1, approve: at >= 2, edit: at >= 3, admin: at >= 4, reveal: at >= 2 };
  return { id: 'u1', kind: 'user', email: 'me@here', name: 'Me', role, workspace: { id: 'w1', name: 'Here' }, csrf: 'x', can };
}

/** Renders a part of a page as the person with a role sees it, with the keys of the page at work. */
export function renderAs(role: Role, page: ReactNode, address = '/') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  queries.setQueryData(meQuery.queryKey, somebody(role));
  window.removeEventListener('keydown', handleKey);
  window.addEventListener('keydown', handleKey);
  const view = render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[address]}>
        <Suspense>{page}</Suspense>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { ...view, queries };
}
