// Valid rings: closed, with an area, without crossings; touching in a point is allowed.
import { describe, expect, test } from 'vitest';
import { polygonOf, type RingPosition, ringOf } from '#values/geo/ring.ts';
import type { Ring } from '#values/geo/zone_map.ts';

/** `0 0, 4 0, 4 4` closed by its first position. */
const closed = (text: string): RingPosition[] => {
  const positions = text.split(',').map((pair) => pair.trim().split(' ').map(Number) as unknown as RingPosition);
  return [...positions, positions[0]!];
};

const finish = <T>(work: Generator<void, T>): T => {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
};

/** Returns the fault of a polygon with these rings; null without one. */
const wrong = (...texts: string[]): string | null => {
  const rings = texts.map((text) => ringOf(closed(text)));
  const bad = rings.find((ring) => typeof ring === 'string');
  if (bad) return bad as string;
  const polygon = finish(polygonOf(rings as [Ring, ...Ring[]]));
  return typeof polygon === 'string' ? polygon : null;
};

describe('a ring', () => {
  test.each([
    ['a square', '0 0, 4 0, 4 4, 0 4'],
    ['a triangle the other way round', '0 0, 0 4, 4 0'],
    ['a comb', '0 0, 9 0, 9 9, 8 9, 8 1, 6 1, 6 9, 5 9, 5 1, 3 1, 3 9, 2 9, 2 1, 0 1'],
    ['positions repeated', '0 0, 0 0, 4 0, 4 4, 4 4, 4 4, 0 4, 0 0'],
    ['a point on a straight side', '0 0, 2 0, 4 0, 4 4, 0 4'],
    ['two lobes that touch in a point', '0 0, 2 1, 4 0, 4 4, 2 1, 0 4'],
    ['a corner that touches a side', '0 0, 4 0, 4 4, 2 0, 0 4'],
    ['a spike that goes nowhere', '0 0, 4 0, 4 4, 4 6, 4 4, 0 4'],
    ['a spike that touches a side', '0 0, 4 0, 4 4, 2 4, 2 0, 2 4, 0 4'],
    ['a spike that touches a corner', '0 0, 2 1, 4 0, 4 4, 2 4, 2 1, 2 4, 0 4'],
    ['four lobes that touch in a point', '0 0, 1 -2, 2 -1, 0 0, 2 1, 1 2, 0 0, -1 2, -2 1, 0 0, -2 -1, -1 -2'],
    ['a square across the antimeridian', '179 0, -179 0, -179 2, 179 2'],
    ['the whole world', '-180 -90, 180 -90, 180 90, -180 90'],
  ])('may be %s', (_name, text) => expect(wrong(text)).toBeNull());

  test.each([
    ['a bow tie', '0 0, 4 4, 4 0, 0 5', 'crosses itself or another ring'],
    ['a bow tie with its knot told', '0 0, 2 2, 4 4, 7 2, 2 2, 0 3', 'crosses itself or another ring'],
    ['a pentagram', '0 3, 5 3, 1 0, 2.5 5, 4 0', 'crosses itself or another ring'],
    [
      'two ways through a point that change sides',
      '0 0, 2 2, 4 0, 4 4, 2 2, 0 4, -1 2, 2 2, 5 2, 5 -1, 0 -1',
      'crosses itself or another ring',
    ],
    ['a spike through a side', '0 0, 4 0, 4 4, 2 4, 2 -1, 2 4, 0 4', 'crosses itself or another ring'],
    ['a corner that breaks through a side', '0 0, 4 0, 4 4, 2 0, 2 -2, 0 4', 'crosses itself or another ring'],
    ['a bow tie of equal halves', '0 0, 4 4, 4 0, 0 4', 'has no area'],
    ['two positions', '0 0, 4 0', 'has no area'],
    ['one position', '1 1, 1 1, 1 1', 'has no area'],
    ['a line to and fro', '0 0, 2 2, 4 4, 2 2', 'has no area'],
    ['around a pole', '0 80, 90 80, 179 80, -90 80', 'goes around a pole'],
  ])('may not be %s', (_name, text, fault) => expect(wrong(text)).toBe(fault));

  test('may not be open', () => {
    expect(ringOf(closed('0 0, 4 0, 4 4').slice(0, -1))).toMatch(/^is open/);
    expect(ringOf([])).toMatch(/^is open/);
  });
});

describe('rings of a polygon', () => {
  test.each([
    ['a hole', '0 0, 9 0, 9 9, 0 9', '1 1, 2 1, 2 2, 1 2'],
    ['a hole that touches the outer ring', '0 0, 9 0, 9 9, 0 9', '0 0, 2 1, 2 2, 1 2'],
    ['a hole that shares a border', '0 0, 9 0, 9 9, 0 9', '0 1, 2 1, 2 2, 0 2'],
    ['a hole across the antimeridian', '170 0, -170 0, -170 9, 170 9', '179 1, -179 1, -179 2, 179 2'],
    ['a hole beyond the antimeridian', '170 0, -170 0, -170 9, 170 9', '-178 1, -177 1, -177 2, -178 2'],
  ])('may have %s', (_name, ...texts) => expect(wrong(...texts)).toBeNull());

  test('may not cross each other', () =>
    expect(wrong('0 0, 9 0, 9 9, 0 9', '8 1, 12 1, 12 2, 8 2')).toBe('crosses itself or another ring'));
});
