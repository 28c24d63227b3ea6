import { describe, expect, it } from 'vitest';
import words from '../../../i18n/zh/parts.json';
import { problemIn } from './checks-in-chinese';

const said = (code: string | null, params: Record<string, string | number> = {}) => problemIn(words, { field: 'x', message: 'in English', code, params }).message;

describe('what a check says in Chinese', () => {
  it('follows from its code, with its figures and the words for kinds and reasons', () => {
    expect(said('at_least', { limit: 1 })).toBe('不能小于 1');
    expect(said('wrong_kind', { wanted: 'a list', actual: 'nothing' })).toBe('应为列表，而不是空');
    expect(said('stands_after', { name: 'caching', other: 'guardrail', rule: 'caching.after.guard' })).toBe(`caching 必须排在 guardrail 之后：${words.rules['caching.after.guard']}`);
    expect(said('tool_off', { tool: 'http_get' })).toBe(words.tool.http_get.off);
  });

  it('stays as the server says it where there is no word for it or for a part of it', () => {
    expect(said(null)).toBe('in English');
    expect(said('new_code')).toBe('in English');
    expect(said('stands_after', { name: 'mine', other: 'guardrail', rule: 'mine.after.guard' })).toBe('in English');
    expect(said('tool_off', { tool: 'theirs' })).toBe('in English');
  });
});
