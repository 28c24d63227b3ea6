import { describe, expect, it } from 'vitest';
import { nextAddress } from './next-address';

describe('where a person goes after signing in', () => {
  it.each([
    ['?next=%2Fs%2Fsess_1%3Fat%3D5', '/s/sess_1?at=5'],
    ['', '/'],
    ['?next=%2F%2Fevil.example%2Fx', '/'],
    ['?next=https%3A%2F%2Fevil.example', '/'],
    ['?next=%2F%5Cevil.example', '/'],
    ['?next=%2Flogin', '/'],
  ])('%s goes to %s', (search, expected) => expect(nextAddress(search)).toBe(expected));
});
