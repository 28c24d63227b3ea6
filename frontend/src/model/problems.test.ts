import { describe, expect, it } from 'vitest';
import { messageIn, placesFrom, problemsOfRow } from './problems';

const problems = [
  { field: 'middleware.1.max_retries', message: 'must be at least 0' },
  { field: 'middleware.1', message: 'stands after caching' },
  { field: 'middleware.10.use', message: 'is not known' },
];

describe('problems by dotted path', () => {
  it('belong to the field or to what it stands in, and 1 is not 10', () => {
    expect(messageIn(problems, 'middleware.1.max_retries')).toBe('must be at least 0');
    expect(messageIn(problems, 'middleware.1')).toBe('must be at least 0 stands after caching');
    expect(messageIn(problems, 'middleware.0')).toBeNull();
  });

  it('that no field of a row shows are shown at the row', () => {
    expect(problemsOfRow(problems, 'middleware.1', ['max_retries'])).toEqual([problems[1]]);
    expect(problemsOfRow(problems, 'middleware.1', [])).toHaveLength(2);
  });

  it('are looked for from the inside out', () => {
    expect(placesFrom('tools.0.name')).toEqual(['tools.0.name', 'tools.0', 'tools']);
  });
});
