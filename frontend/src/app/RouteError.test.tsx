import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { AgentPage } from '../features/agents/AgentPage';
import { fakeServer } from '../testing/fake-server';
import { RouteError } from './RouteError';

it('is a page that leads on when there is no such thing', async () => {
  fakeServer({});
  const router = createMemoryRouter([{ path: '/agents/:slug', element: <AgentPage slug="nope" />, errorElement: <RouteError /> }], {
    initialEntries: ['/agents/nope'],
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('There is no such page');
  expect(screen.getByRole('link', { name: 'Go to Home' })).toBeVisible();
});
