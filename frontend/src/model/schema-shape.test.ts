import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../api/types';
import { fieldsOf } from './schema-form';
import { fitsShape, isFlat, itemWords, shapeOf } from './schema-shape';

const root: JsonSchema = {
  type: 'object',
  properties: {
    stages: { type: 'array', items: { enum: ['input', 'output'] } },
    names: { type: 'array', items: { type: 'string' } },
    rules: { type: 'array', items: { $ref: '#/$defs/Rule' } },
    numbers: { type: 'array', items: { type: 'array' } },
    choices: { anyOf: [{ type: 'object', patternProperties: { '.+:.+': { type: 'string' } } }, { type: 'null' }] },
    calls: { type: 'object', additionalProperties: { type: 'integer' } },
    place: { type: 'object', properties: { x: { type: 'integer' } } },
    free: { type: 'object' },
    value: { default: null },
    level: { enum: ['info', 'debug'] },
    either: { anyOf: [{ type: 'string' }, { type: 'array' }] },
  },
  $defs: {
    Rule: { type: 'object', required: ['verdict'], properties: { tool: { type: 'string' }, when: { type: 'array', items: { $ref: '#/$defs/Condition' } }, verdict: { enum: ['allow', 'ask'] } } },
    Condition: { type: 'object', properties: { argument: { type: 'string' }, op: { enum: ['is', 'in'] }, value: {} } },
  },
};
const shapes = Object.fromEntries(fieldsOf(root, {}).map((field) => [field.name, shapeOf(field, root)]));
const itemOf = (name: string, from: JsonSchema): JsonSchema => {
  const field = fieldsOf(from, {}).find((each) => each.name === name);
  const shape = field && shapeOf(field, from);
  if (shape?.kind !== 'rows') throw new Error(name);
  return shape.item;
};

describe('the form of an option', () => {
  it('follows from its schema', () => {
    expect(Object.fromEntries(Object.entries(shapes).map(([name, { kind }]) => [name, kind]))).toEqual({
      stages: 'words', names: 'lines', rules: 'rows', numbers: 'plain', choices: 'pairs', calls: 'pairs', place: 'group', free: 'plain', value: 'any', level: 'plain', either: 'plain',
    });
  });

  it('finds what a schema refers to however deep it stands', () => {
    const rule = itemOf('rules', root);
    expect(isFlat(rule)).toBe(false);
    expect(isFlat(itemOf('when', rule))).toBe(true);
  });

  it('is left for JSON when it cannot show what is there', () => {
    const fits = (name: string, value: Parameters<typeof fitsShape>[1]) => fitsShape(shapes[name]!, value);
    expect([fits('rules', [{}]), fits('rules', ['allow']), fits('rules', 'x')]).toEqual([true, false, false]);
    expect([fits('calls', { a: 1 }), fits('calls', { a: [1] }), fits('calls', null)]).toEqual([true, false, true]);
  });

  it('names a row by what its fields say', () => {
    expect(itemWords(itemOf('rules', root), { tool: 'issue_*', verdict: 'ask', when: [{}] })).toBe('ask · issue_*');
  });
});
