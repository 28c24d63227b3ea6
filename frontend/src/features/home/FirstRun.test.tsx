import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeServer } from '../../testing/fake-server';
import { renderAs } from '../../testing/render';
import { HomePage } from './HomePage';

const session = (id: string, imported: boolean) => ({
  id, imported, title: id, status: 'finished', waiting_for: null, agent: 'a', agent_name: 'A', version: 1, tags: [], pending: 0, updated_at: '2026-11-30T10:00:00Z',
});

function open(sessions: object[], agents: object[] = []) {
  fakeServer({
    'GET /sessions': { body: { items: sessions, next: null } },
    'GET /agents': { body: { items: agents, next: null } },
    'GET /interrupts': { body: { items: [], next: null } },
  });
  return renderAs('editor', <HomePage />);
}

const card = () => screen.queryByRole('heading', { name: 'Three steps' });

beforeEach(() => localStorage.clear());

describe('the three first steps', () => {
  it('stay after the first session, which is one of them', async () => {
    open([session('recorded', true), session('mine', false)]);
    expect(await screen.findByRole('heading', { name: /Ask an agent/ })).toHaveTextContent('done');
    expect(screen.getByRole('heading', { name: /Watch a recorded session/ })).not.toHaveTextContent('done');
  });

  it('go when all are done: a recording was watched, a session started, an agent made', async () => {
    open([session('recorded', true), session('mine', false)], [{ slug: 'own', origin: 'console', samples: [] }]);
    expect(await screen.findByRole('heading', { name: /Bring your own/ })).toHaveTextContent('done');
    await userEvent.click(screen.getAllByRole('link', { name: 'recorded' })[0]!);
    await waitFor(() => expect(card()).toBeNull());
  });

  it('go when they are hidden, and stay away', async () => {
    const { unmount } = open([session('recorded', true)]);
    await userEvent.click(await screen.findByRole('button', { name: 'Hide' }));
    expect(card()).toBeNull();
    unmount();
    open([session('recorded', true)]);
    await screen.findByRole('link', { name: 'Start a session' });
    expect(card()).toBeNull();
  });
});
