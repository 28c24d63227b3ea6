import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DefinitionCheck, JsonObject } from '../../../api/types';
import { fakeServer } from '../../../testing/fake-server';
import { renderRoutesAs } from '../../../testing/render';
import { screenOf } from '../../../testing/screen';
import { EditorPage, NewAgentPage } from './EditorPage';
import { agent, definition, parts, versions, whole } from './fixtures';

type Routes = Parameters<typeof fakeServer>[0];

/** A server that checks: a slug is needed, and `rounds` is a number; of YAML it reads `name: …` alone. */
function checked(body: unknown): DefinitionCheck {
  const asked = body as { definition?: JsonObject; yaml?: string };
  const found = asked.yaml === undefined ? asked.definition : /^name: (.*)$/m.exec(asked.yaml);
  if (!found) return { problems: [{ field: '', message: 'is not YAML', line: 2 }], warnings: [], yaml: asked.yaml ?? '', definition: null };
  const read = Array.isArray(found) ? { ...definition, name: String(found[1]) } : (found as JsonObject);
  const problems = read.slug === '' ? [{ field: 'slug', message: 'is missing' }] : [];
  const options = read.options as JsonObject | undefined;
  if (typeof options?.rounds === 'string') problems.push({ field: 'options.rounds', message: 'is a whole number' });
  return { problems, warnings: [], yaml: `name: ${String(read.name)}\n`, definition: read };
}

function open(address: string, more: Routes = {}, role: 'editor' | 'viewer' = 'editor') {
  const server = fakeServer({
    'GET /agents/parts': { body: parts },
    'GET /agents': { body: { items: [agent], next: null } },
    'GET /agents/desk': { body: agent },
    'GET /agents/desk/versions': { body: { items: versions, next: null } },
    'GET /agents/desk/versions/1': { body: whole(1) },
    'GET /agents/desk/versions/2': { body: whole(2) },
    'POST /agents/check': ({ body }) => ({ body: checked(body) }),
    ...more,
  });
  const renderSession = (id: string) => <p>session {id}</p>;
  const view = renderRoutesAs(
    role,
    [
      { path: '/agents/new', element: <NewAgentPage from={new URLSearchParams(address.split('?')[1]).get('from')} renderSession={renderSession} /> },
      { path: '/agents/:slug/edit', element: <EditorPage slug="desk" renderSession={renderSession} /> },
      { path: '/agents', element: <p>all agents</p> },
    ],
    address,
  );
  return { server, ...view };
}

const button = (name: RegExp | string) => screen.getByRole('button', { name });
const field = (name: RegExp | string) => screen.getByRole('textbox', { name });

beforeEach(() => {
  localStorage.clear();
  screenOf(1440, 900);
  vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => setTimeout(() => run(0)));
});

describe('a new agent', () => {
  it('gets its slug from its name, shows a problem at the field and leads to it, and is saved', async () => {
    const { server, router } = open('/agents/new', {
      'POST /agents': { status: 201, body: { ...agent, newest: 1 } },
    });
    await userEvent.type(await screen.findByRole('textbox', { name: /^Name$/ }), 'Desk');
    expect(field(/Name in code/)).toHaveValue('desk');
    await userEvent.clear(field(/Name in code/));
    await userEvent.click(await screen.findByRole('button', { name: 'slug' }));
    await waitFor(() => expect(field(/Name in code/)).toHaveFocus());
    expect(field(/Name in code/)).toBeInvalid();
    await waitFor(() => expect(button(/^Save…/)).toHaveAttribute('aria-disabled', 'true'));
    await userEvent.type(field(/Name in code/), 'desk');
    await waitFor(() => expect(button(/^Save…/)).not.toHaveAttribute('aria-disabled'));
    await userEvent.click(button(/^Save…/));
    await userEvent.type(screen.getByRole('textbox', { name: /^Note/ }), 'First');
    await userEvent.click(button(/^Save and publish/));
    await waitFor(() => expect(router.state.location.pathname).toBe('/agents/desk/edit'));
    expect(server.sent('POST', '/agents')).toMatchObject([{ note: 'First', publish: true, definition: { slug: 'desk', name: 'Desk' } }]);
    expect(localStorage).toHaveLength(0);
  });

  it('can be a copy of one from code, under a slug that is free', async () => {
    open('/agents/new?from=desk');
    expect(await screen.findByRole('textbox', { name: /Name in code/ })).toHaveValue('desk-copy');
    expect(screen.getByText('copy of Desk, not saved yet')).toBeVisible();
    await waitFor(() => expect(button(/^Save…/)).not.toHaveAttribute('aria-disabled'));
  });

  it('is for those who may edit', async () => {
    open('/agents/new', {}, 'viewer');
    expect(await screen.findByText('Needs the role Editor; yours is Viewer')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Save/ })).toBeNull();
  });
});

describe('the editor', () => {
  it('keeps what is not saved in this browser, and lets it be dropped', async () => {
    const { unmount } = open('/agents/desk/edit');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Instructions' }), ' And short.');
    unmount();
    open('/agents/desk/edit');
    expect(await screen.findByRole('textbox', { name: 'Instructions' })).toHaveValue('Be kind. And short.');
    expect(screen.getByText(/Unsaved changes of yours were kept/)).toBeVisible();
    await userEvent.click(button('Drop changes'));
    expect(field('Instructions')).toHaveValue('Be kind.');
    await waitFor(() => expect(localStorage).toHaveLength(0));
  });

  it('holds who leaves with changes', async () => {
    const { router } = open('/agents/desk/edit');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Instructions' }), '!');
    await act(() => router.navigate('/agents'));
    await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(router.state.location.pathname).toBe('/agents/desk/edit');
    await act(() => router.navigate('/agents'));
    await userEvent.click(await screen.findByRole('button', { name: 'Leave and keep them' }));
    expect(await screen.findByText('all agents')).toBeVisible();
  });

  it('reads YAML into the form, and says with the line what it cannot read', async () => {
    open('/agents/desk/edit?side=yaml');
    const text = await screen.findByRole('textbox', { name: 'YAML' });
    await waitFor(() => expect(text).toHaveValue('name: Desk\n'));
    fireEvent.change(text, { target: { value: 'name: Counter\n' } });
    await waitFor(() => expect(field(/^Name$/)).toHaveValue('Counter'));
    fireEvent.change(text, { target: { value: 'name: Counter\n : [' } });
    fireEvent.change(text, { target: { value: '}{' } });
    expect(await screen.findByRole('button', { name: 'Line 2' })).toBeVisible();
    expect(button(/^Save…/)).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(button('Back to the form'));
    await waitFor(() => expect(text).toHaveValue('name: Counter\n'));
  });

  it('makes a form of the options of a strategy, and tells what is no value of them', async () => {
    open('/agents/desk/edit');
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: /^Strategy/ }), 'reflection');
    expect(screen.getByText('Draft, criticise, refine.')).toBeVisible();
    const rounds = field(/rounds/);
    expect(rounds).toHaveAttribute('placeholder', '3');
    await userEvent.type(rounds, 'many');
    expect(screen.getByText('Must be a whole number')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'options.rounds' })).toBeVisible();
    await userEvent.clear(rounds);
    await userEvent.type(rounds, '2');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'options.rounds' })).toBeNull());
  });

  it('adds tools from the catalogue; what the code demands cannot be switched off', async () => {
    open('/agents/desk/edit?side=changes');
    await userEvent.click(await screen.findByRole('button', { name: 'Add a tool' }));
    await userEvent.keyboard('money');
    await userEvent.click(screen.getByRole('button', { name: /issue_refund/ }));
    const row = within(screen.getByRole('list', { name: 'Tools' })).getAllByRole('listitem')[1]!;
    const asked = within(row).getByRole('switch', { name: 'Ask a person first' });
    expect(asked).toBeChecked();
    expect(asked).toBeDisabled();
    expect(within(row).getByText(/runs at most once per decision/)).toBeVisible();
    await userEvent.click(screen.getAllByRole('switch', { name: 'Ask a person first' })[0]!);
    const changes = await screen.findByRole('list', { name: 'What changed' });
    expect(within(changes).getByText('tools.lookup_order.approval')).toBeVisible();
    expect(within(changes).getByText('tools.issue_refund')).toBeVisible();
  });

  it('says in one place what it is warned about, and leads there', async () => {
    const warning = { field: 'tools.0.name', message: 'lookup_order is off: set something' };
    open('/agents/desk/edit', { 'POST /agents/check': { body: { ...checked({ definition }), warnings: [warning] } } });
    const told = await screen.findByRole('region', { name: 'Warnings' });
    expect(told).toHaveTextContent(warning.message);
    await userEvent.click(within(told).getByRole('button', { name: 'tools.0.name' }));
    const row = within(screen.getByRole('list', { name: 'Tools' })).getAllByRole('listitem')[0]!;
    await waitFor(() => expect(row).toContainElement(document.activeElement as HTMLElement));
  });

  it('moves middleware by button and by key, and keeps the focus on what was moved', async () => {
    open('/agents/desk/edit');
    const list = await screen.findByRole('list', { name: 'Middleware' });
    const names = () => within(list).getAllByRole('listitem').map((row) => row.querySelector('code')?.textContent);
    await userEvent.click(within(list).getByRole('button', { name: 'Move guardrail up' }));
    expect(names()).toEqual(['guardrail', 'logging']);
    await waitFor(() => expect(within(list).getByRole('button', { name: 'Move guardrail up' })).toHaveFocus());
    expect(screen.getByText('guardrail is now number 1 of 2')).toBeInTheDocument();
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(names()).toEqual(['logging', 'guardrail']);
  });

  it('writes a list in lines and chooses words by box, and leaves out what is as it comes', async () => {
    const { server } = open('/agents/desk/edit');
    await userEvent.type(await screen.findByRole('textbox', { name: /words/ }), 'bomb{Enter}poison');
    const stages = screen.getByRole('group', { name: 'stages' });
    expect(within(stages).getByRole('checkbox', { name: 'input' })).toBeChecked();
    await userEvent.click(within(stages).getByRole('checkbox', { name: 'output' }));
    const middleware = () => (server.sent('POST', '/agents/check').at(-1) as { definition: JsonObject }).definition.middleware;
    await waitFor(() => expect(middleware()).toEqual([{ use: 'logging' }, { use: 'guardrail', words: ['bomb', 'poison'], stages: ['input', 'output'] }]));
    await userEvent.click(within(stages).getByRole('checkbox', { name: 'output' }));
    await waitFor(() => expect(middleware()).toEqual([{ use: 'logging' }, { use: 'guardrail', words: ['bomb', 'poison'] }]));
  });

  it('says who saved first, and saves after it when asked to', async () => {
    let newest = 2;
    const { server, router } = open('/agents/desk/edit?v=2', {
      'GET /agents/desk/versions': () => ({ body: { items: newest === 2 ? versions : [{ ...versions[0], version: 3, by: 'Bo', note: 'Mine first' }, ...versions], next: null } }),
      'POST /agents/desk/versions': ({ body }) => {
        newest = 3;
        if ((body as { base: number }).base === 2) return { status: 409, body: { code: 'stale', title: 'Stale' } };
        return { status: 201, body: { ...whole(4), definition: { ...definition, instructions: 'Be kind.!' } } };
      },
    });
    await userEvent.type(await screen.findByRole('textbox', { name: 'Instructions' }), '!');
    await userEvent.click(button(/^Save…/));
    await userEvent.click(button(/^Save Ctrl|^Save/));
    expect(await screen.findByText(/Bo saved v3 while you were writing/)).toBeVisible();
    await userEvent.click(button('Save mine as v4'));
    await waitFor(() => expect(router.state.location.search).toContain('v=4'));
    expect(server.sent('POST', '/agents/desk/versions')).toMatchObject([{ base: 2 }, { base: 3, publish: false }]);
  });

  it('tries exactly what is in the form: saved first, published by nobody', async () => {
    const { server, router } = open('/agents/desk/edit?v=2&side=try', {
      'POST /agents/desk/versions': { status: 201, body: { ...whole(3), definition: { ...definition, instructions: 'Be kind.!' } } },
      'POST /sessions': { status: 201, body: { id: 'sess_9', version: 3 } },
    });
    await userEvent.type(await screen.findByRole('textbox', { name: 'Instructions' }), '!');
    expect(screen.getByText(/Saves the draft as v3, not published/)).toBeVisible();
    await userEvent.type(field(/Try it with a question/), 'Hello');
    await userEvent.click(button(/^Try it/));
    expect(await screen.findByText('session sess_9')).toBeVisible();
    expect(server.sent('POST', '/sessions')).toMatchObject([{ agent: 'desk', version: 3, input: 'Hello' }]);
    expect(server.sent('POST', '/agents/desk/versions')).toMatchObject([{ publish: false }]);
    expect(router.state.location.search).toContain('session=sess_9');
    expect(await screen.findByText(/Runs v3, which is what the form shows/)).toBeVisible();
  });
});
