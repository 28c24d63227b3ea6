import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../api/types';
import { withValue } from '../../../../model/definition';
import type { Problem } from '../../../../model/problems';
import { renderAs } from '../../../../testing/render';
import { EditorContext } from '../context';
import { parts } from '../fixtures';
import { OptionFields } from './OptionFields';

const schema: JsonObject = {
  type: 'object',
  properties: {
    rules: { type: 'array', default: [], items: { $ref: '#/$defs/Rule' }, description: 'in their order' },
    calls: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
  },
  $defs: {
    Rule: {
      type: 'object',
      required: ['verdict'],
      properties: { tool: { type: 'string', default: '*' }, when: { type: 'array', items: { $ref: '#/$defs/Condition' } }, verdict: { type: 'string', enum: ['allow', 'ask'] } },
    },
    Condition: { type: 'object', required: ['argument'], properties: { argument: { type: 'string' }, op: { type: 'string', enum: ['is', 'over', 'in'], default: 'is' }, value: { default: null } } },
  },
};

/** The form on a draft; `draft()` is what it says now. */
function open(options: JsonObject = {}, problems: Problem[] = []) {
  let now: JsonObject = { options };
  const announce = vi.fn();
  function Page() {
    const [definition, setDefinition] = useState(now);
    now = definition;
    const scope = { definition, parts, problems, warnings: [], announce, fixedSlug: false, change: (path: readonly (string | number)[], value: Parameters<typeof withValue>[2]) => setDefinition(withValue(definition, path, value)) };
    return (
      <EditorContext value={scope}>
        <OptionFields schema={schema} path={['options']} value={(definition.options ?? {}) as JsonObject} />
      </EditorContext>
    );
  }
  renderAs('editor', <Page />);
  return { draft: () => now.options, announce };
}

const rules = () => screen.getByRole('list', { name: 'rules' });
const add = (name: string) => userEvent.click(screen.getByRole('button', { name: `Add to ${name}` }));

beforeEach(() => vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => setTimeout(() => run(0))));

describe('a list of objects', () => {
  it('is filled in by its fields, rows inside of rows too, with the types that were meant', async () => {
    const { draft } = open();
    await add('rules');
    expect(screen.getByRole('combobox', { name: /verdict/ })).toHaveFocus();
    expect(draft()).toEqual({ rules: [{}] });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: /verdict/ }), 'ask');
    await userEvent.type(screen.getByRole('textbox', { name: /tool/ }), 'pay');
    await add('when');
    await userEvent.type(screen.getByRole('textbox', { name: 'argument' }), 'cents');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'op' }), 'over');
    await userEvent.type(screen.getByRole('textbox', { name: 'value' }), '100');
    const text = { argument: 'cents', op: 'over', value: '100' };
    expect(draft()).toEqual({ rules: [{ verdict: 'ask', tool: 'pay', when: [text] }] });
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type of value' }), 'number');
    expect(draft()).toEqual({ rules: [{ verdict: 'ask', tool: 'pay', when: [{ ...text, value: 100 }] }] });
  });

  it('is moved by keys, an inner row without the outer one, and is gone with its last row', async () => {
    const when = [{ argument: 'a' }, { argument: 'b' }];
    const { draft, announce } = open({ rules: [{ verdict: 'ask', tool: 'x' }, { verdict: 'allow', when }] });
    fireEvent.keyDown(screen.getByRole('button', { name: 'Move a down' }), { key: 'ArrowDown', altKey: true });
    expect(draft()).toEqual({ rules: [{ verdict: 'ask', tool: 'x' }, { verdict: 'allow', when: when.toReversed() }] });
    await userEvent.click(screen.getByRole('button', { name: 'Move allow up' }));
    expect(announce).toHaveBeenLastCalledWith('allow is now number 1 of 2');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Move allow up' })).toHaveFocus());
    await userEvent.click(screen.getByRole('button', { name: 'Remove ask · x' }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove allow' }));
    expect(draft()).toEqual({});
  });

  it('says a problem at its field, and one of a whole row at the row', () => {
    open({ rules: [{ tool: 'x' }] }, [{ field: 'options.rules.0.verdict', message: 'is missing' }, { field: 'options.rules.0', message: 'is never reached' }]);
    expect(screen.getByRole('combobox', { name: /verdict/ })).toHaveAccessibleDescription('is missing');
    expect(within(rules()).getByText('is never reached')).toBeVisible();
  });

  it('can be written as JSON, and is when the form cannot show it', async () => {
    const { draft } = open({ rules: [{ verdict: 'ask' }], calls: 'many' });
    const switches = screen.getAllByRole('button', { name: 'as JSON' });
    const [ofRules, ofCalls] = [switches[0], switches.at(-1)];
    expect(ofCalls).toHaveAttribute('aria-pressed', 'true');
    expect(ofCalls).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(ofRules!);
    fireEvent.change(screen.getByRole('textbox', { name: /^rules/ }), { target: { value: '[{"verdict": "allow"}]' } });
    await userEvent.click(ofRules!);
    expect(screen.getByRole('combobox', { name: /verdict/ })).toHaveValue('"allow"');
    expect(draft()).toEqual({ rules: [{ verdict: 'allow' }], calls: 'many' });
  });
});

describe('an object of names', () => {
  it('has a row for each pair, and says of a name that it is there already', async () => {
    const { draft } = open({ calls: { search: 3 } });
    await add('calls');
    const names = screen.getAllByRole('textbox', { name: 'Name' });
    expect(names[1]).toHaveFocus();
    await userEvent.type(names[1]!, 'search');
    expect(screen.getByText('This name is there already')).toBeVisible();
    await userEvent.type(names[1]!, '_all');
    await userEvent.type(screen.getAllByRole('textbox', { name: 'Value' })[1]!, '0');
    expect(screen.getByText('Must be at least 1')).toBeVisible();
    await userEvent.type(screen.getAllByRole('textbox', { name: 'Value' })[1]!, '{Backspace}2');
    expect(draft()).toEqual({ calls: { search: 3, search_all: 2 } });
  });
});

describe('a number out of its bounds', () => {
  it('goes into the draft as the number that it is', async () => {
    const { draft } = open();
    await add('calls');
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'pay');
    await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), '0');
    expect(draft()).toEqual({ calls: { pay: 0 } });
    expect(screen.getByText('Must be at least 1')).toBeVisible();
  });
});
