// Compact integer arrays: nothing is lost when they widen or grow.
import { describe, expect, test } from 'vitest';
import { type CompactUints, emptyLike, lengthened, withNumber } from '#services/search/engine/compact_uint.ts';

describe('compact integers', () => {
  test.each([
    [255, 1],
    [256, 2],
    [65_535, 2],
    [65_536, 4],
    [0xffff_ffff, 4],
  ])('take %i in %i bytes, and keep the others', (number, bytes) => {
    let numbers: CompactUints = new Uint8Array(4);
    for (const [at, each] of [7, number, 255].entries()) numbers = withNumber(numbers, at, each);
    expect([...numbers]).toEqual([7, number, 255, 0]);
    expect(numbers.BYTES_PER_ELEMENT).toBe(bytes);
    expect([...lengthened(numbers, 6)]).toEqual([7, number, 255, 0, 0, 0]);
    expect(emptyLike(numbers, 3).BYTES_PER_ELEMENT).toBe(bytes);
  });
});
