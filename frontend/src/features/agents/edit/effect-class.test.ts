import { describe, expect, it } from 'vitest';
import { declaredEffect, declareEffect, effectClass, stricterThan } from './effect-class';

describe('the effect class of a tool', () => {
  it('may be made stricter, never laxer', () => {
    expect(stricterThan('readOnly')).toEqual(['idempotent', 'effectful']);
    expect(stricterThan('idempotent')).toEqual(['effectful']);
    expect(stricterThan('effectful')).toEqual([]);
  });

  it('that its source does not know may be declared', () => {
    expect(effectClass({ effectful: null })).toBeNull();
    expect(stricterThan(null)).toEqual(['readOnly', 'idempotent', 'effectful']);
  });

  it('is written into the entry and taken out again', () => {
    const entry = { name: 'post', approval: true };
    const declared = declareEffect(entry, 'idempotent');
    expect(declared).toEqual({ name: 'post', approval: true, effectful: true, idempotent: true });
    expect(declaredEffect(declared)).toBe('idempotent');
    expect(declaredEffect({ name: 'post', effectful: true })).toBe('effectful');
    expect(declareEffect(declared, null)).toEqual(entry);
  });
});
