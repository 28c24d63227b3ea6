import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server';
import { renderRoutesAs } from '../../testing/render';
import { StartDialog } from '../start/StartDialog';
import { AgentPage } from './AgentPage';
import { AgentsPage } from './AgentsPage';
import { agent, parts } from './edit/fixtures';

const draft = { ...agent, slug: 'a-draft', name: 'Zebra', published: null, newest: 1 };

function open(address: string) {
  const list = { body: { items: [draft, { ...agent, sessions: { running: 0, total: 0 } }], next: null } };
  fakeServer({
    'GET /agents': list,
    'GET /agents/a-draft': { body: draft },
    'GET /agents/a-draft/versions': { body: { items: [], next: null } },
    'GET /sessions': { body: { items: [], next: null } },
    'POST /sessions': { status: 422, body: { code: 'invalid', title: 'Invalid', status: 422, errors: [{ field: 'strategy', message: "'vote' is not known" }] } },
    'GET /agents/parts': { body: { ...parts, problems: ['file vote.py: ModuleNotFoundError (vote.py, line 1)'] } },
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

it('tells those who may mend them which plug-ins can not be used', async () => {
  open('/agents');
  expect(await screen.findByText('file vote.py: ModuleNotFoundError (vote.py, line 1)')).toBeVisible();
  expect(screen.getByText(/1 thing of this installation/)).toBeVisible();
});

it('says why a session is refused, also where the form has no field for it', async () => {
  open('/start');
  fireEvent.change(await screen.findByRole('textbox', { name: 'Question' }), { target: { value: 'Hello?' } });
  fireEvent.click(screen.getByRole('button', { name: /^Start/ }));
  expect(await screen.findByRole('alert')).toHaveTextContent("'vote' is not known");
});
