import { describe, expect, it } from 'vitest';
import { numberFrom, printJson } from './json';
import { fieldsOf, type Parsed, parseText, printValue } from './schema-form';

const schema = {
  type: 'object',
  required: ['order', 'amount_cents'],
  properties: {
    order: { type: 'string', pattern: '^A-\\d+$' },
    amount_cents: { type: 'integer', minimum: 1, maximum: 100000 },
    rate: { type: 'number' },
    reason: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    speed: { $ref: '#/$defs/Speed' },
    lines: { type: 'array', items: { type: 'integer' } },
    notify: { type: 'boolean' },
  },
  $defs: { Speed: { type: 'string', enum: ['slow', 'fast'] } },
};

const fields = Object.fromEntries(fieldsOf(schema, { order: 'A-1', extra: 3 }).map((field) => [field.name, field]));
const field = (name: string) => {
  const found = fields[name];
  if (!found) throw new Error(name);
  return found;
};

describe('fieldsOf', () => {
  it('reads types, options and what is required', () => {
    expect(Object.values(fields).map(({ name, type, required }) => [name, type, required])).toEqual([
      ['order', 'string', true],
      ['amount_cents', 'integer', true],
      ['rate', 'number', false],
      ['reason', 'string', false],
      ['speed', 'enum', false],
      ['lines', 'json', false],
      ['notify', 'boolean', false],
      ['extra', 'integer', false],
    ]);
    expect(field('reason').nullable).toBe(true);
    expect(field('speed').options).toEqual(['slow', 'fast']);
  });
});

const printed = (parsed: Parsed) => (parsed.ok ? printJson(parsed.value) : parsed.error.code);

describe('parseText', () => {
  it('keeps an integer an integer', () => {
    expect(parseText(field('amount_cents'), '4800')).toEqual({ ok: true, value: 4800 });
    for (const text of ['48.5', '12a', '1e3']) {
      expect(parseText(field('amount_cents'), text), text).toMatchObject({ ok: false, error: { code: 'notInteger' } });
    }
  });

  it('keeps every digit of a long number', () => {
    const [id, rate] = fieldsOf({ type: 'object', properties: { id: { type: 'integer', maximum: numberFrom('9007199254740994') }, rate: { type: 'number' } } }, {});
    if (!id || !rate) throw new Error('no fields');
    expect(printed(parseText(id, '9007199254740993'))).toBe('9007199254740993');
    expect(parseText(id, '9007199254740995')).toMatchObject({ error: { code: 'tooLarge', params: { limit: '9007199254740994' } } });
    expect(printed(parseText(rate, '5.0'))).toBe('5.0');
    expect(printed(parseText(rate, '.5'))).toBe('0.5');
    expect(printValue(id, numberFrom('9007199254740993'))).toBe('9007199254740993');
  });

  it('checks limits, lengths and patterns', () => {
    expect(parseText(field('amount_cents'), '0')).toMatchObject({ error: { code: 'tooSmall', params: { limit: '1' } } });
    expect(parseText(field('order'), 'B-1')).toMatchObject({ error: { code: 'noMatch' } });
    const [cost] = fieldsOf({ type: 'object', properties: { cost: { anyOf: [{ type: 'string', pattern: '^[0-9.]+$', examples: ['0.50'] }, { type: 'null' }] } } }, {});
    if (!cost) throw new Error('no field');
    expect(parseText(cost, 'cheap')).toMatchObject({ error: { code: 'unlike', params: { like: '0.50' } } });
  });

  it('tells null, left out and empty apart', () => {
    expect(parseText(field('reason'), '')).toEqual({ ok: true, value: null });
    expect(parseText(field('rate'), '')).toEqual({ ok: true, value: undefined });
    expect(parseText(field('amount_cents'), '')).toMatchObject({ error: { code: 'missing' } });
  });

  it('takes JSON for lists and objects, of the right type', () => {
    expect(parseText(field('lines'), '[1, 2]')).toEqual({ ok: true, value: [1, 2] });
    expect(parseText(field('lines'), '{}')).toMatchObject({ error: { code: 'wrongType' } });
    expect(parseText(field('lines'), '[1,')).toMatchObject({ error: { code: 'notJson' } });
  });

  it('gives back what it printed', () => {
    const values = { amount_cents: 4800, rate: 0.5, reason: null, speed: 'fast', lines: [1], notify: false, order: 'A-7' };
    for (const [name, value] of Object.entries(values)) {
      expect(parseText(field(name), printValue(field(name), value)), name).toEqual({ ok: true, value });
    }
  });
});
