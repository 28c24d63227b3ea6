import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server';
import { renderRoutesAs } from '../../testing/render';
import { StartDialog } from '../start/StartDialog';
import { AgentPage } from './AgentPage';
import { AgentsPage } from './AgentsPage';
import { agent } from './edit/fixtures';

const draft = { ...agent, slug: 'a-draft', name: 'Zebra', published: null, newest: 1 };

function open(address: string) {
  const list = { body: { items: [draft, { ...agent, sessions: { running: 0, total: 0 } }], next: null } };
  fakeServer({
    'GET /agents': list,
    'GET /agents/a-draft': { body: draft },
    'GET /agents/a-draft/versions': { body: { items: [], next: null } },
    'GET /sessions': { body: { items: [], next: null } },
  });
  renderRoutesAs(
    'editor',
    [
      { path: '/agents', element: <AgentsPage /> },
      { path: '/agents/a-draft', element: <AgentPage slug="a-draft" /> },
      { path: '/start', element: <StartDialog slug="" onClose={() => undefined} onStarted={() => undefined} /> },
    ],
    address,
  );
}

it('lists agents by the name that is shown', async () => {
  open('/agents');
  await screen.findByRole('link', { name: 'Zebra' });
  const names = screen.getAllByRole('link', { name: /^(Desk|Zebra)$/ }).map((link) => link.textContent);
  expect(names).toEqual(['Desk', 'Zebra']);
});

it('has no start for an agent of which nothing is published', async () => {
  open('/agents/a-draft');
  expect(await screen.findByText(/nobody can start it yet/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Start' })).toBeNull();
});

it('offers what is published when a session is started', async () => {
  open('/start');
  const choice = await screen.findByRole('combobox', { name: 'Agent' });
  expect(within(choice).getAllByRole('option').map((option) => option.textContent)).toEqual(['Desk']);
});
