import { describe, expect, it } from 'vitest';
import { changeUrl, parseUrl } from './url-state';

const parse = (text: string) => parseUrl(new URLSearchParams(text));

describe('the address of a session', () => {
  it('says everything that is shown', () => {
    expect(parse('at=12832&e=12831&tab=diff&view=waterfall&zoom=all&f=kind:tool&q=refund')).toEqual({
      at: 12832,
      event: 12831,
      tab: 'diff',
      view: 'waterfall',
      filter: 'kind:tool',
      search: 'refund',
      whole: true,
    });
  });

  it('ignores what it does not understand', () => {
    expect(parse('at=live&e=-3&tab=magic&view=3d&zz=1')).toEqual({ at: null, event: null, tab: null, view: 'list', filter: '', search: '', whole: false });
  });

  it('keeps foreign parameters and leaves defaults out', () => {
    const params = changeUrl(new URLSearchParams('x=1&at=5&view=chat&zoom=all'), { at: null, view: 'list', event: 9, whole: false });
    expect(params.toString()).toBe('x=1&e=9');
  });

  it('comes back as it went out', () => {
    const state = parse('at=7&e=3&tab=raw&view=chat&zoom=all&f=is%3Aerror+kind%3Atool&q=%E9%80%80%E6%AC%BE');
    expect(parseUrl(changeUrl(new URLSearchParams(), state))).toEqual(state);
  });
});
