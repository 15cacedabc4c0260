// Compares the border map with the country coder whose borders it uses.
import { borders, iso1A2Code } from '@rapideditor/country-coder';
import { beforeAll, describe, expect, it } from 'vitest';
import { countryAt, loadBorderMap } from '#services/shipping/geocode/country.ts';

const POINTS = Number(process.env.STOA_POINTS ?? 5_000);
let seed = Number(process.env.STOA_SEED ?? 7);

const random = (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};
const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;

type Border = { readonly geometry: { readonly coordinates: [number, number][][][] } | null };

const rings = (borders.features as Border[]).flatMap(({ geometry }) => geometry?.coordinates.flat() ?? []);

/** Half of the points lie near a border. The map treats 180° east as 180° west, the coder does not. */
const somewhere = (): { longitude: number; latitude: number } => {
  const anywhere = { longitude: random() * 359.9 - 179.95, latitude: random() * 179.9 - 89.95 };
  if (random() < 0.5) return anywhere;
  const [longitude, latitude] = pick(pick(rings));
  const near = (value: number, max: number): number => Math.max(-max, Math.min(max, value + (random() - 0.5) / 2));
  return { longitude: near(longitude, 179.99), latitude: near(latitude, 89.99) };
};

const coder = ({ longitude, latitude }: { longitude: number; latitude: number }): string | null =>
  iso1A2Code([longitude, latitude], { level: 'territory' });

describe('the country of a point', () => {
  it('returns a country while the border map is loading', () => {
    expect(countryAt({ latitude: -1.2683, longitude: 36.8111 })).toBe('KE');
  });

  describe('with the border map loaded', () => {
    beforeAll(loadBorderMap);

    it(`agrees with the country coder at ${POINTS} points`, () => {
      for (let n = 0; n < POINTS; n++) {
        const point = somewhere();
        expect([point, countryAt(point)]).toEqual([point, coder(point)]);
      }
    });

    it.each([
      [18.4, -66.1, 'PR'],
      [22.3, 114.17, 'HK'],
      [47.6, -122.3, 'US'],
      [30, -40, null],
    ])('at %d, %d is %s', (latitude, longitude, code) => {
      expect(countryAt({ latitude, longitude })).toBe(code);
      expect(countryAt({ latitude, longitude })).toBe(code);
    });
  });
});
