import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../api/types';
import { copySlug, fieldOf, moved, slugFrom, valueAt, withValue } from './definition';

const agent: JsonObject = { slug: 'desk', tools: [{ name: 'a' }, { name: 'b', approval: true }], limits: { max_steps: 4 } };

describe('a definition', () => {
  it('is read and changed by path, and never in place', () => {
    const next = withValue(agent, ['tools', 1, 'approval'], false);
    expect(valueAt(next, ['tools', 1, 'approval'])).toBe(false);
    expect(valueAt(agent, ['tools', 1, 'approval'])).toBe(true);
    expect(next.tools).toEqual([{ name: 'a' }, { name: 'b', approval: false }]);
    expect(fieldOf(['tools', 1, 'approval'])).toBe('tools.1.approval');
  });

  it('loses a member or an item that is put to undefined, and gains what was not there', () => {
    expect(withValue(agent, ['tools', 0], undefined).tools).toEqual([{ name: 'b', approval: true }]);
    expect(withValue(agent, ['limits', 'max_steps'], undefined).limits).toEqual({});
    expect(withValue(agent, ['options', 'rounds'], 2).options).toEqual({ rounds: 2 });
    expect(valueAt(agent, ['options', 'rounds'])).toBeUndefined();
  });

  it('moves an item, and not past the ends', () => {
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
    expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
  });

  it('gets a slug from its name, and a copy one that is free', () => {
    expect(slugFrom(' Refund desk (EU) ')).toBe('refund-desk-eu');
    expect(slugFrom('退款')).toBe('');
    expect(copySlug('desk', ['desk', 'desk-copy'])).toBe('desk-copy-2');
  });
});
