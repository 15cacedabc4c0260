// "POST /v1/shipping/calculate", sentence by sentence of the specification, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let shop: Merchant;
beforeAll(async () => {
  stoa = await startStoa();
  shop = await openMerchant(stoa, { country: 'KE' });
});
afterAll(() => stoa.stop());

/** A square of `size` degrees around a point. */
const square = (longitude: number, latitude: number, size: number) => {
  const [west, east] = [longitude - size / 2, longitude + size / 2];
  const [south, north] = [latitude - size / 2, latitude + size / 2];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
};

const _location = (name: string, latitude: number, longitude: number, more: object = {}) => ({
  name,
  latitude,
  longitude,
  address: { line1: `1 ${name} Road`, city: name, country: 'KE' },
  ...more,
});

const NAIROBI = { latitude: -1.2864, longitude: 36.8172 };
const MOMBASA = { latitude: -4.0435, longitude: 39.6682 };
const LONDON = { latitude: 51.5072, longitude: -0.1276 };

/** Replaces the configuration of a merchant; answers it with its ids. */
const configure = async (merchant: Merchant, config: object) => {
  const { status, text, body } = await merchant.secret('PUT', '/v1/shipping/config', config);
  expect(status, text).toBe(200);
  return body;
};

const calculate = async (merchant: Merchant, body: object) => {
  const reply = await merchant.publishable('POST', '/v1/shipping/calculate', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

const _refused = async (merchant: Merchant, body: object) => {
  const { status, body: answer } = await merchant.publishable('POST', '/v1/shipping/calculate', body);
  return [status, answer.error?.code, answer.error?.param];
};

const TOWN = { name: 'Nairobi', kind: 'map', geometry: square(36.8172, -1.2864, 0.5), rate: { fee: 3.5 } };
const KENYA = { name: 'Kenya', kind: 'countries', countries: ['KE'], rate: { fee: 8 } };
const TIERS = [
  { name: 'near', from_meters: 0, to_meters: 100_000, rate: { fee: 12 } },
  { name: 'far', from_meters: 100_000, to_meters: 500_000, rate: { fee: 15 } },
];

describe('"Key: publishable or secret (read-only operation)"', () => {
  test('both keys are answered alike, in both environments', async () => {
    await configure(shop, { fallback: { rate: { fee: 20 } } });
    const [publishable, secret] = [
      await shop.publishable('POST', '/v1/shipping/calculate', NAIROBI),
      await shop.secret('POST', '/v1/shipping/calculate', NAIROBI),
    ];
    expect([publishable.status, secret.body]).toEqual([200, publishable.body]);
    const sandbox = await shop.test('POST', '/v1/shipping/calculate', NAIROBI);
    expect([sandbox.status, sandbox.body.configured]).toEqual([200, false]);
  });
});

describe('"the first zone containing the location"', () => {
  test('prices it, whichever kind it is of', async () => {
    const merchant = await openMerchant(stoa);
    await configure(merchant, { zones: [TOWN, KENYA], tiers: TIERS, fallback: { rate: { fee: 99 } } });
    expect(await calculate(merchant, NAIROBI)).toMatchObject({
      fee: 3.5,
      zone_name: 'Nairobi',
      tier_name: null,
      applied_rule: 'zone',
      rate_source: 'zone',
      coordinates: { ...NAIROBI, country_code: 'KE' },
    });
    expect(await calculate(merchant, MOMBASA)).toMatchObject({ fee: 8, zone_name: 'Kenya', applied_rule: 'zone' });
    expect(await calculate(merchant, LONDON)).toMatchObject({ fee: 99, zone_name: null, applied_rule: 'fallback' });
    await configure(merchant, { zones: [KENYA, TOWN] });
    expect(await calculate(merchant, NAIROBI)).toMatchObject({ fee: 8, zone_name: 'Kenya' });
  });
});
