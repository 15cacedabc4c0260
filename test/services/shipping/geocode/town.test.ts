// Tests the offline town geocoder with all its towns, and the choice among several places.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Gazetteer, openGazetteer } from '#services/shipping/geocode/gazetteer.ts';
import { chooseCandidate, type GeocodedPlace } from '#services/shipping/geocode/place.ts';
import { findTowns } from '#services/shipping/geocode/town.ts';

let gazetteer: Gazetteer;
beforeAll(async () => {
  gazetteer = await openGazetteer();
});

/** Country and position in whole degrees; null for no town or several. */
const meant = (name: string, country: string | null = null, store: string | null = null): string | null => {
  const found = chooseCandidate(findTowns(gazetteer, name, country), store);
  return found && `${found.country} ${Math.round(found.latitude)} ${Math.round(found.longitude)}`;
};

describe('a name', () => {
  test.each([
    ['Nairobi', 'KE -1 37'],
    ['nairobi, kenya', 'KE -1 37'],
    ['Nairobi Kenya', 'KE -1 37'],
    ['NAIROBI, KE', 'KE -1 37'],
    ['12 Moi Avenue, Nairobi, Kenya', 'KE -1 37'],
    ['Ikeja, Lagos', 'NG 7 3'],
    ['Thika, Nairobi', 'KE -1 37'],
    ['Victoria, London', 'GB 52 0'],
    ['London UK', 'GB 52 0'],
    ['London, Ontario', 'CA 43 -81'],
    ['Paris', 'FR 49 2'],
    ['Paris, Texas', 'US 34 -96'],
    ['Paris TX', 'US 34 -96'],
    ['New York', 'US 41 -74'],
    ['Times Square, New York', 'US 41 -74'],
    ['1 Orchard Road, Singapore', 'SG 1 104'],
    ['São Paulo', 'BR -24 -47'],
    ['sao  paulo', 'BR -24 -47'],
    ['Cologne', 'DE 51 7'],
    ['Washington', 'US 39 -77'],
    ['1600 Pennsylvania Avenue, Washington, DC', 'US 39 -77'],
    ['Geneva', 'CH 46 6'],
    ['Frankfurt', 'DE 50 9'],
    ['Aarhus', 'DK 56 10'],
    ['Marrakech', 'MA 32 -8'],
    ['Xian, China', 'CN 34 109'],
    ['Kyiv', 'UA 50 31'],
    ['St. Gallen', 'CH 47 9'],
  ])('%s is at %s', (name, place) => expect(meant(name)?.replace('-0', '0')).toBe(place));

  test.each(['Nowhere-at-all', '', '   ', ', ,', '?', '7', 'Kenya, Nowhere-at-all', 'x'.repeat(200), 'us '.repeat(60)])(
    '%j is nowhere',
    (name) => expect(meant(name)).toBeNull(),
  );

  test('matches nothing across two countries unless one is sent, is the store’s, or is five times as populous', () => {
    expect(meant('Cambridge')).toBeNull();
    expect(meant('Cambridge', 'US')).toBe('US 42 -71');
    expect(meant('Cambridge', null, 'GB')).toBe('GB 52 0');
    expect(meant('Cambridge', null, 'KE')).toBeNull();
  });
});

describe('choosing between candidates in different countries', () => {
  const candidate = (country: string, population: number): GeocodedPlace => ({
    latitude: 0,
    longitude: 0,
    country,
    postcode: null,
    population,
  });

  test.each([
    ['five times as populous', 500, 100, null, 'AA'],
    ['a little less than that', 499, 100, null, null],
    ['of unknown size', 0, 0, null, null],
    ['the store’s, though smaller', 900, 100, 'BB', 'BB'],
    ['neither the store’s', 200, 100, 'CC', null],
  ])('%s', (_name, first, second, store, taken) =>
    expect(chooseCandidate([candidate('AA', first), candidate('BB', second)], store)?.country ?? null).toBe(taken),
  );
});
