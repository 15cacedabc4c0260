// Great-circle distances, against those of maps.
import { describe, expect, test } from 'vitest';
import { distanceMeters, nearest } from '#values/geo/distance.ts';

const NAIROBI = { latitude: -1.2864, longitude: 36.8172 };
const MOMBASA = { latitude: -4.0435, longitude: 39.6682 };
const LONDON = { latitude: 51.5074, longitude: -0.1278 };
const PARIS = { latitude: 48.8566, longitude: 2.3522 };

describe('as the crow flies', () => {
  test.each([
    ['from London to Paris', LONDON, PARIS, 343.6],
    ['from Nairobi to Mombasa', NAIROBI, MOMBASA, 440.9],
    ['over the antimeridian', { latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111.2],
    ['from pole to pole', { latitude: 90, longitude: 0 }, { latitude: -90, longitude: 123 }, 20_015.1],
    ['to where one is', NAIROBI, NAIROBI, 0],
  ])('%s', (_name, from, to, km) => expect(distanceMeters(from, to) / 1000).toBeCloseTo(km, 0));

  test('the way back is as long', () =>
    expect(distanceMeters(LONDON, MOMBASA)).toBeCloseTo(distanceMeters(MOMBASA, LONDON), 6));
});

test('the nearest is found, the first of equally near ones, none among none', () => {
  expect(nearest([LONDON, PARIS, NAIROBI], MOMBASA)?.place).toBe(NAIROBI);
  const [one, other] = [{ ...PARIS }, { ...PARIS }];
  expect(nearest([one, other], LONDON)?.place).toBe(one);
  expect(nearest([], LONDON)).toBeNull();
});
