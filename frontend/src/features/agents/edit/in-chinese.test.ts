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
  expect(partsIn(words, served)).toEqual(served);
});
