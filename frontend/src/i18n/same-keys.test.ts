import { describe, expect, it } from 'vitest';
import { en } from './en';
import { zh } from './zh';

type Strings = { [key: string]: string | Strings };

function flatten(strings: Strings, prefix = ''): [string, string][] {
  return Object.entries(strings).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

const pluralless = (key: string) => key.replace(/_(one|other)$/, '');
const keys = (strings: Strings) => new Set(flatten(strings).map(([key]) => pluralless(key)));
const placeholders = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map((match) => match[1]).toSorted();

describe('the two languages', () => {
  it('have the same keys', () => {
    expect(keys(zh)).toEqual(keys(en));
  });

  it('fill the same placeholders', () => {
    const chinese = new Map(flatten(zh));
    for (const [key, text] of flatten(en)) {
      const other = chinese.get(key) ?? chinese.get(key.replace(/_one$/, '_other'));
      expect(placeholders(other ?? ''), key).toEqual(placeholders(text));
    }
  });

  it('give every plural its general form', () => {
    for (const strings of [en, zh]) {
      const all = new Set(flatten(strings).map(([key]) => key));
      for (const key of all) if (key.endsWith('_one')) expect(all).toContain(key.replace(/_one$/, '_other'));
    }
  });
});
