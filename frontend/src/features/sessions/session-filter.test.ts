import { describe, expect, it } from 'vitest';
import { isEmpty, readFilter, toggleStatus, toQuery, writeFilter } from './session-filter';

const read = (text: string) => readFilter(new URLSearchParams(text));

describe('the filter of the list of sessions', () => {
  it('is read from the address, without what it does not know', () => {
    expect(read('status=failed,nonsense,waiting&agent=refund-desk&q=4411')).toEqual({
      statuses: ['waiting', 'failed'],
      agent: 'refund-desk',
      q: '4411',
    });
  });

  it('goes into the address and leaves the rest of it alone', () => {
    const next = writeFilter(new URLSearchParams('start=refund-desk&q=old'), { statuses: ['running'], agent: '', q: '' });
    expect(next.toString()).toBe('start=refund-desk&status=running');
  });

  it('is asked of the server without empty parts', () => {
    expect(toQuery(read('q=%20%20'))).toEqual({});
    expect(toQuery(read('status=running,waiting'))).toEqual({ status: 'running,waiting' });
    expect(isEmpty(read('q=%20'))).toBe(true);
  });

  it('has each status once, on or off', () => {
    const on = toggleStatus(read('status=failed'), 'running');
    expect(on.statuses).toEqual(['running', 'failed']);
    expect(toggleStatus(on, 'failed').statuses).toEqual(['running']);
  });
});
