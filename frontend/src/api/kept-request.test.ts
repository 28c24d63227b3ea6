import { describe, expect, it } from 'vitest';
import { KeptRequest } from './kept-request';

const keeps = (init: RequestInit) => new KeptRequest('http://here/api', init).keepalive;

describe('a request under way when its page is left', () => {
  it('is kept when it is a command', () => {
    expect(keeps({ method: 'POST', body: '{"decision":"approve"}' })).toBe(true);
    expect(keeps({ method: 'POST' })).toBe(true);
    expect(keeps({ method: 'DELETE' })).toBe(true);
  });

  it('is sent as usual when a browser would refuse to keep it, counted in bytes', () => {
    expect(keeps({ method: 'POST', body: 'a'.repeat(40_000) })).toBe(true);
    expect(keeps({ method: 'POST', body: '长'.repeat(40_000) })).toBe(false);
  });

  it('is called off when it only reads, with POST too', () => {
    expect(keeps({ method: 'GET' })).toBe(false);
    expect(keeps({ method: 'POST', body: '{}', signal: new AbortController().signal })).toBe(false);
  });
});
