import { describe, expect, it } from 'vitest';
import { compareNumbers, ExactNumber, isObject, numberFrom, parseJson, printJson, sameJson } from './json';

const PAST = '9007199254740993';

describe('numbers keep their digits', () => {
  it.each([
    `{"id":${PAST},"list":[${PAST}123,-${PAST}]}`,
    '{"a":5.0,"b":0.10,"c":1e400,"d":-0,"e":1e-07,"f":1.0e5}',
    '[12345678901234567.25]',
    PAST,
  ])('%s is written as it was read', (text) => {
    expect(printJson(parseJson(text))).toBe(text);
  });

  it('leaves plain numbers plain', () => {
    expect(parseJson('{"n":[0,1.5,-3,1048576]}')).toEqual({ n: [0, 1.5, -3, 1048576] });
  });

  it('leaves digits in strings and names alone', () => {
    const text = `{"${PAST}":"${PAST} and \\"${PAST}\\" and 5.0"}`;
    expect(printJson(parseJson(text))).toBe(text);
    expect(parseJson(text)).toEqual({ [PAST]: `${PAST} and "${PAST}" and 5.0` });
  });

  it('does not take a text for a number, whatever it says', () => {
    const sly = JSON.stringify([`\u0000aa:${PAST}`, `"${PAST}"`]);
    expect(printJson(parseJson(`[${sly},${PAST}]`))).toBe(`[${sly},${PAST}]`);
  });

  it('says what is wrong with a broken text, as JSON.parse does', () => {
    expect(() => parseJson(`{"id":${PAST},}`)).toThrow(SyntaxError);
  });

  it('lays out like JSON.stringify', () => {
    expect(printJson({ id: numberFrom(PAST) }, 2)).toBe(`{\n  "id": ${PAST}\n}`);
  });

  it('reads a text of ten million characters', () => {
    const long = 'x"\\'.repeat(1_000_000);
    const text = `[${JSON.stringify(long)},${PAST}]`;
    expect(printJson(parseJson(text))).toBe(text);
  });
});

describe('an exact number', () => {
  it('equals the same digits only', () => {
    expect(sameJson(numberFrom(PAST), numberFrom(PAST))).toBe(true);
    expect(sameJson(numberFrom(PAST), numberFrom('9007199254740992'))).toBe(false);
    expect(sameJson({ id: numberFrom(PAST) }, parseJson(`{"id":${PAST}}`))).toBe(true);
    expect(sameJson(undefined, null)).toBe(false);
  });

  it('is no object', () => {
    expect(isObject(new ExactNumber(PAST))).toBe(false);
  });

  it('is compared by all of its digits', () => {
    expect(compareNumbers(numberFrom(PAST), 9007199254740992)).toBe(1);
    expect(compareNumbers(numberFrom('5.0'), 6)).toBeLessThan(0);
  });
});
