import { expect, it } from 'vitest';
import type { AgentParts } from '../../../api/types';
import words from '../../../i18n/zh/parts.json';
import { parts } from './fixtures';
import { partsIn } from './in-chinese';

const reflection = (source: string): AgentParts => ({
  ...parts,
  strategies: parts.strategies.filter(({ name }) => name === 'reflection').map((part) => ({ ...part, source })),
});

it('says a shipped part and its options in Chinese', () => {
  const [part] = partsIn(words, reflection('plugin:playhead.strategies')).strategies;
  expect(part?.summary).toBe(words.strategy.reflection.summary);
  expect(part?.options.properties).toEqual({ rounds: { type: 'integer', default: 3, description: words.strategy.reflection.options.rounds } });
});

it('leaves a part of another plug-in in its own words, whatever its name', () => {
  const served = reflection('plugin:acme');
  expect(partsIn(words, served).strategies).toEqual(served.strategies);
});

it('says the rows of a list and the limits in Chinese, and keeps what they are', () => {
  const rule = { type: 'object', properties: { tool: { type: 'string' }, when: { type: 'array', items: { $ref: '#/$defs/Condition' } } } };
  const condition = { type: 'object', properties: { op: { type: 'string' } } };
  const options = { properties: { rules: { type: 'array', items: { $ref: '#/$defs/Rule' } } }, $defs: { Rule: rule, Condition: condition } };
  const served = { ...parts, middleware: [{ name: 'tool-permission', summary: '', options, source: 'plugin:playhead.middleware' }] };
  const said = partsIn(words, served);
  const texts = words.middleware['tool-permission'].options;
  expect(said.middleware[0]?.options.properties).toEqual({
    rules: {
      type: 'array',
      description: texts.rules,
      items: {
        type: 'object',
        properties: {
          tool: { type: 'string', description: texts['rules.tool'] },
          when: { type: 'array', description: texts['rules.when'], items: { type: 'object', properties: { op: { type: 'string', description: texts['rules.when.op'] } } } },
        },
      },
    },
  });
  expect(said.limits.properties).toEqual({ max_steps: { type: 'integer', default: 10, description: words.limits.max_steps } });
});
