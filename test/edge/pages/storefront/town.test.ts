// Places on the shop's map: how far, in which direction, and in which words.
import { expect, test } from 'vitest';
import {
  distanceKm,
  type MapTown,
  namesNear,
  nearestTown,
  offsetBy,
  offsetKm,
  positionText,
  townNamed,
} from '#edge/pages/storefront/town.ts';
import { ENGLISH } from '#edge/pages/storefront/wording.ts';

const town = (name: string, latitude: number, longitude: number, population = 1): MapTown => ({
  name,
  latitude,
  longitude,
  population,
});
const NAIROBI = town('Nairobi', -1.28333, 36.81667, 2_750_547);
const KIKUYU = town('Kikuyu', -1.24627, 36.66291);
const SUVA = town('Suva', -18.14161, 178.44149);

test('a distance is that of the earth, across the date line too', () => {
  expect(distanceKm(NAIROBI, KIKUYU)).toBeCloseTo(17.6, 0);
  const [east] = offsetKm(SUVA, { latitude: -18.14, longitude: -179.5 });
  expect(east).toBeCloseTo(217, -1);
  expect(offsetBy(SUVA, 217, 0).longitude).toBeLessThan(-179);
});

test.each([
  [10, 0],
  [-3, 4],
  [0, -250],
])('moving %d km east and %d km north leads there', (east, north) => {
  const [back, up] = offsetKm(NAIROBI, offsetBy(NAIROBI, east, north));
  expect([back, up]).toEqual([expect.closeTo(east, 6), expect.closeTo(north, 6)]);
});

test.each([
  [0.2, 0, 'In Nairobi'],
  [5, 0, '5.0 km east of Nairobi'],
  [0, -5, '5.0 km south of Nairobi'],
  [-20, 20, '28 km north-west of Nairobi'],
])('%d km east and %d km north of a town is "%s"', (east, north, words) =>
  expect(positionText(NAIROBI, offsetBy(NAIROBI, east, north), ENGLISH)).toBe(words),
);

test('finds a town by its name in any spelling, and by position', () => {
  const towns = [NAIROBI, KIKUYU, town('São Tomé', 0.33, 6.73), town('Nairobi', 9, 9)];
  expect(townNamed(towns, ' sao tome ')?.name).toBe('São Tomé');
  expect(townNamed(towns, 'NAIROBI')).toBe(NAIROBI);
  expect([townNamed(towns, ''), townNamed(towns, 'Nowhere'), nearestTown([], NAIROBI)]).toEqual([null, null, null]);
  expect(nearestTown(towns, { latitude: -1.25, longitude: 36.67 })).toBe(KIKUYU);
});

const TOWNS = [
  NAIROBI,
  town('Nakuru', 0, 36),
  KIKUYU,
  town('Nairobi', 1, 1),
  town('Kisumu', 0, 34),
  town('Ein', 0, 35),
];

test.each([
  ['Nairobbi', ['Nairobi']],
  ['  nairoib ', ['Nairobi']],
  ['Kisum', ['Kisumu']],
  ['Kukuyu', ['Kikuyu']],
  // A town has it, however it is spelt.
  ['NAIROBI', []],
  ['', []],
  ['Mombasa Old Town', []],
])('near the name %o are the names %o', (typed, names) => {
  expect(namesNear(TOWNS, typed)).toEqual(names);
});
