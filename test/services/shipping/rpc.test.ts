// Tests POST /v1/shipping/calculate over HTTP, sentence by sentence of its documentation.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  basketOf,
  calculate,
  configure,
  KENYA,
  KISUMU,
  LONDON,
  location,
  MOMBASA,
  NAIROBI,
  refused,
  TIERS,
  TOWN,
} from '#test/services/shipping/fixture.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
/** Shared by tests that write nothing but a configuration. */
let shop: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa, { country: 'KE' });
});

const PARCEL = { weight_grams: 850, length_cm: 30, width_cm: 20, height_cm: 10 };
const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

describe('"Key: publishable or secret (read-only operation)"', () => {
  test('both keys receive the same response, and each environment has its own configuration', async () => {
    await configure(shop, { fallback: { rate: { fee: 20 } } });
    const publishable = await shop.publishable('POST', '/v1/shipping/calculate', NAIROBI);
    const secret = await shop.secret('POST', '/v1/shipping/calculate', NAIROBI);
    expect([publishable.status, secret.body]).toEqual([200, publishable.body]);
    const sandbox = await shop.test('POST', '/v1/shipping/calculate', NAIROBI);
    expect([sandbox.status, sandbox.body.configured]).toEqual([200, false]);
    expect((await stoa.send('POST', '/v1/shipping/calculate', { body: NAIROBI })).status).toBe(401);
  });
});

describe('"Body JSON, one of three location modes"', () => {
  beforeAll(() => configure(shop, { zones: [TOWN, KENYA], fallback: { rate: { fee: 20 } } }));

  test('"`latitude` (number, -90 to 90) and `longitude` (number, -180 to 180)"', async () => {
    expect(await calculate(shop, NAIROBI)).toMatchObject({ fee: 3.5, coordinates: { ...NAIROBI, country_code: 'KE' } });
    for (const [latitude, longitude] of [
      [90, 180],
      [-90, -180],
    ])
      expect(await calculate(shop, { latitude, longitude })).toMatchObject({ coordinates: { latitude, longitude } });
  });

  test('"`place_name` (string, geocoded)"', async () => {
    const nairobi = await calculate(shop, { place_name: 'Nairobi, Kenya' });
    expect(nairobi).toMatchObject({ fee: 3.5, zone_name: 'Nairobi', coordinates: { country_code: 'KE' } });
    expect(nairobi.coordinates.latitude).toBeCloseTo(-1.28, 1);
    expect(nairobi.coordinates.longitude).toBeCloseTo(36.82, 1);
    expect(await calculate(shop, { place_name: '12 Moi Avenue, Mombasa' })).toMatchObject({ zone_name: 'Kenya' });
    expect(await refused(shop, { place_name: 'Nowhere-at-all' })).toEqual([400, 'invalid_request', 'place_name']);
    // One Cambridge is in England, one in Massachusetts; neither is five times as populous.
    expect(await refused(shop, { place_name: 'Cambridge' })).toEqual([400, 'invalid_request', 'place_name']);
    expect(await calculate(shop, { place_name: 'Cambridge', country_code: 'gb' })).toMatchObject({
      coordinates: { country_code: 'GB' },
    });
  });

  test('"no location: `address_to` plus `parcel`, returns carrier options only with `fee` null"', async () => {
    const answer = await calculate(shop, { address_to: ADDRESS, parcel: PARCEL });
    expect(answer).toMatchObject({ fee: null, is_free: false, zone_name: null, applied_rule: 'none' });
    expect(answer).toMatchObject({ rate_source: 'none', coordinates: null, fulfilled_from: null });
    for (const absent of ['options', 'rates', 'distance_meters']) expect(answer).not.toHaveProperty(absent);
  });

  test.each([
    ['none', {}, 'latitude'],
    ['half a point', { latitude: 1 }, 'longitude'],
    ['the other half', { longitude: 1 }, 'latitude'],
    ['an address alone', { address_to: ADDRESS }, 'parcel'],
    ['half a place', { address_to: { ...ADDRESS, latitude: 1 }, parcel: PARCEL }, 'address_to.longitude'],
    ['a parcel alone', { parcel: PARCEL }, 'address_to'],
  ])('%s of them is refused', async (_name, body, param) =>
    expect(await refused(shop, body)).toEqual([400, 'invalid_request', param]),
  );
});

describe('"Optional on any mode"', () => {
  const GB = { name: 'SW', kind: 'postcodes', country: 'GB', prefixes: ['SW1'], rate: { fee: 6 } };

  beforeAll(() => configure(shop, { zones: [GB, KENYA], fallback: { rate: { fee: 20 } } }));

  test('"`country_code` (string, two letters, pattern `^[A-Za-z]{2}$`; wins over the geocoded value)"', async () => {
    expect(await calculate(shop, { place_name: 'London', country_code: 'ke' })).toMatchObject({
      zone_name: 'Kenya',
      coordinates: { country_code: 'KE' },
    });
    expect(await calculate(shop, { ...NAIROBI, country_code: 'UG' })).toMatchObject({
      fee: 20,
      coordinates: { country_code: 'UG' },
    });
  });

  test.each(['KEN', 'K', '12', ''])('"two letters, pattern `^[A-Za-z]{2}$`", not %j', async (country_code) =>
    expect(await refused(shop, { ...NAIROBI, country_code })).toEqual([400, 'invalid_request', 'country_code']),
  );

  test('"`postal_code` (string, at most 16 characters; wins over the geocoded value)"', async () => {
    const priced = async (postal_code: string) => (await calculate(shop, { ...LONDON, postal_code })).zone_name;
    expect(await Promise.all(['SW1A 1AA', 'sw1a-1aa', 'SW1', 'SW10 0AA', 'N1 1AA', ''].map(priced))).toEqual([
      'SW',
      'SW',
      'SW',
      null,
      null,
      null,
    ]);
    expect(await refused(shop, { ...LONDON, postal_code: '1'.repeat(17) })).toEqual([
      400,
      'invalid_request',
      'postal_code',
    ]);
    expect(await calculate(shop, { place_name: 'London, UK', postal_code: 'SW1A 1AA' })).toMatchObject({
      zone_name: 'SW',
      coordinates: { postal_code: 'SW1A 1AA' },
    });
  });

  test('"`items` (array of basket lines naming variants and quantities, at most 500 entries)"', async () => {
    const { variant_id } = await shop.createProduct();
    const lines = (count: number) => Array.from({ length: count }, () => ({ variant_id, quantity: 1 }));
    expect((await calculate(shop, { ...NAIROBI, items: lines(500) })).fee).toBe(8);
    expect(await refused(shop, { ...NAIROBI, items: lines(501) })).toEqual([400, 'invalid_request', 'items']);
    const items = [...lines(1), { variant_id: crypto.randomUUID(), quantity: 1 }];
    expect(await refused(shop, { ...NAIROBI, items })).toEqual([404, 'not_found', 'items[1].variant_id']);
  });

  test('"`order_total` (number >= 0, default 0 …)"', async () => {
    await configure(shop, { fallback: { rate: { fee: 20, free_threshold: 0 } } });
    expect((await calculate(shop, NAIROBI)).is_free).toBe(true);
    await configure(shop, { fallback: { rate: { fee: 20, free_threshold: 0.01 } } });
    expect((await calculate(shop, NAIROBI)).is_free).toBe(false);
    for (const order_total of [-0.01, 1.001, '5', 100_000_000])
      expect(await refused(shop, { ...NAIROBI, order_total })).toEqual([400, 'invalid_request', 'order_total']);
  });
});

describe('"Pricing rules"', () => {
  test('"the first zone containing the location (a map zone, or a zone of whole countries or postcode prefixes)"', async () => {
    await configure(shop, { zones: [TOWN, KENYA], tiers: TIERS, fallback: { rate: { fee: 99 } } });
    expect(await calculate(shop, NAIROBI)).toMatchObject({ fee: 3.5, zone_name: 'Nairobi', applied_rule: 'zone' });
    expect(await calculate(shop, MOMBASA)).toMatchObject({ fee: 8, zone_name: 'Kenya', applied_rule: 'zone' });
    await configure(shop, { zones: [KENYA, TOWN] });
    expect(await calculate(shop, NAIROBI)).toMatchObject({ fee: 8, zone_name: 'Kenya' });
  });

  test('"otherwise the distance tier matching the distance from the store (a range includes its start and stops just before its end)"', async () => {
    const store = location('Nairobi', NAIROBI.latitude, NAIROBI.longitude);
    await configure(shop, { locations: [store], tiers: TIERS, fallback: { rate: { fee: 99 } } });
    expect(await calculate(shop, NAIROBI)).toMatchObject({
      fee: 12,
      zone_name: null,
      tier_name: 'near',
      distance_meters: 0,
      applied_rule: 'distance',
      rate_source: 'tier',
    });
    const mombasa = await calculate(shop, MOMBASA);
    expect(mombasa).toMatchObject({ fee: 15, tier_name: 'far' });
    expect(mombasa.distance_meters).toBeGreaterThan(430_000);
    expect(mombasa.distance_meters).toBeLessThan(450_000);
    // One metre on either side of the returned distance.
    const meters = (await calculate(shop, KISUMU)).distance_meters;
    const tier = (name: string, from_meters: number, to_meters: number | null) => ({
      name,
      from_meters,
      to_meters,
      rate: { fee: 1 },
    });
    await configure(shop, {
      locations: [store],
      tiers: [tier('before', 0, meters - 1), tier('at', meters - 1, meters + 1), tier('after', meters + 1, null)],
    });
    expect((await calculate(shop, KISUMU)).tier_name).toBe('at');
    await configure(shop, { locations: [store], tiers: [tier('here', 0, 1), tier('elsewhere', 1, null)] });
    expect((await calculate(shop, NAIROBI)).tier_name).toBe('here');
    expect((await calculate(shop, LONDON)).tier_name).toBe('elsewhere');
  });

  test('"otherwise the store\'s everywhere-else rate"', async () => {
    await configure(shop, { zones: [TOWN, KENYA], tiers: TIERS, fallback: { rate: { fee: 99, estimate: 'a week' } } });
    expect(await calculate(shop, LONDON)).toMatchObject({
      fee: 99,
      zone_name: null,
      tier_name: null,
      applied_rule: 'fallback',
      rate_source: 'fallback',
      options: [{ id: 'place', estimate: 'a week' }],
    });
  });

  test('"A matched rate is free when order_total reaches its free-delivery threshold"', async () => {
    const rate = { fee: 5, free_threshold: 100 };
    await configure(shop, { zones: [{ ...TOWN, rate }] });
    expect(await calculate(shop, { ...NAIROBI, order_total: 99.99 })).toMatchObject({
      fee: 5,
      is_free: false,
      free_threshold: 100,
      options: [{ id: 'place', fee: 5, is_free: false, free_threshold: 100 }],
    });
    expect(await calculate(shop, { ...NAIROBI, order_total: 100 })).toMatchObject({
      fee: 0,
      is_free: true,
      free_threshold: 100,
      options: [{ id: 'place', fee: 0, is_free: true }],
    });
  });

  test('"A store with no rates charges nothing (`applied_rule` = `none`)"', async () => {
    const merchant = await openMerchant(stoa);
    expect(await calculate(merchant, NAIROBI)).toEqual({
      fee: 0,
      currency: 'USD',
      zone_name: null,
      tier_name: null,
      is_free: true,
      free_threshold: null,
      configured: false,
      reason: expect.stringMatching(/free/),
      applied_rule: 'none',
      coordinates: { ...NAIROBI, country_code: 'KE' },
      rate_source: 'none',
      deliverable: true,
      restriction: 'none',
      options: [expect.objectContaining({ id: 'place', fee: 0, is_free: true, available: true })],
      fulfilled_from: null,
    });
  });
});

describe('"`items` … enables weight-based rates and category rules"', () => {
  const BANDS = [
    { up_to_grams: 1_000, fee: 5 },
    { up_to_grams: 5_000, fee: 9 },
  ];

  test('"a weight-dependent rate applies only when every line\'s variant has a weight"', async () => {
    await configure(shop, { fallback: { rate: { fee: 30, weight_bands: BANDS } } });
    const [light, unweighed] = [
      await shop.createProduct({ weight_grams: 500 }),
      await shop.createProduct({ weight_grams: null }),
    ];
    const fee = async (...lines: [{ variant_id?: string | null }, number][]) =>
      (await calculate(shop, { ...NAIROBI, items: basketOf(...lines) })).fee;
    expect(await fee([light, 1])).toBe(5);
    expect(await fee([light, 2])).toBe(5);
    expect(await fee([light, 3])).toBe(9);
    expect(await fee([light, 10])).toBe(9);
    expect(await fee([light, 11])).toBe(30);
    expect(await fee([light, 1], [unweighed, 1])).toBe(30);
    expect((await calculate(shop, NAIROBI)).fee).toBe(30);
  });

  test('charges no fee for items that need no shipping, and no surcharge for their category', async () => {
    const { category } = (await shop.secret('POST', '/v1/categories', { name: 'Downloads' })).body;
    const rate = {
      fee: 5,
      category_rules: [{ category_id: category.id, surcharge: 3 }],
      options: [{ name: 'Express', fee: 9 }],
    };
    await configure(shop, { fallback: { rate } });
    const digital = { category_id: category.id, shipping_info: { requires_shipping: false } };
    const [file, mug] = [await shop.createProduct(digital), await shop.createProduct()];
    const feesOf = async (...lines: [{ variant_id?: string | null }, number][]) =>
      (await calculate(shop, { ...NAIROBI, items: basketOf(...lines) })).options.map(({ fee }: { fee: number }) => fee);
    expect(await feesOf([file, 2])).toEqual([0, 0]);
    expect(await feesOf([file, 2], [mug, 1])).toEqual([5, 9]);
    expect((await calculate(shop, { ...NAIROBI, items: basketOf([file, 1]) })).is_free).toBe(true);
  });

  test("a category's surcharge is charged once, by its subcategories too, on the rate and its options", async () => {
    const { category } = (await shop.secret('POST', '/v1/categories', { name: 'Pianos' })).body;
    const sub = await shop.secret('POST', '/v1/categories', { name: 'Grand', parent_id: category.id });
    const inside = await shop.createProduct({ category_id: category.id, subcategory_id: sub.body.category.id });
    const [piano, plain] = [await shop.createProduct({ category_id: category.id }), await shop.createProduct()];
    const rate = {
      fee: 10,
      free_threshold: 500,
      category_rules: [{ category_id: category.id, surcharge: 40 }],
      options: [{ name: 'Express', fee: 25, free_threshold: 900 }],
    };
    await configure(shop, { fallback: { rate } });
    const fees = async (order_total: number, ...lines: [{ variant_id?: string | null }, number][]) =>
      (await calculate(shop, { ...NAIROBI, order_total, items: basketOf(...lines) })).options.map(
        ({ fee }: { fee: number }) => fee,
      );
    expect(await fees(0, [plain, 3])).toEqual([10, 25]);
    expect(await fees(0, [piano, 3], [plain, 1])).toEqual([50, 65]);
    expect(await fees(0, [piano, 1], [inside, 1])).toEqual([50, 65]);
    expect(await fees(500, [piano, 1])).toEqual([0, 65]);
    expect(await fees(900, [piano, 1])).toEqual([0, 0]);
  });
});

describe('"deliverable"', () => {
  const SHOP = location('Nairobi', NAIROBI.latitude, NAIROBI.longitude, { pickup: true });

  test('"When the store does not deliver to the address but offers pickup: 200 with `deliverable` false, `fee` null and only pickup options"', async () => {
    await configure(shop, { locations: [SHOP], zones: [TOWN] });
    const answer = await calculate(shop, LONDON);
    expect(answer).toMatchObject({
      deliverable: false,
      fee: null,
      is_free: false,
      applied_rule: 'none',
      configured: true,
    });
    expect(answer.options.map(({ method }: { method: string }) => method)).toEqual(['pickup']);
  });

  test('"When it offers neither: 400 `shipping_not_deliverable`"', async () => {
    await configure(shop, { zones: [TOWN] });
    expect(await refused(shop, LONDON)).toEqual([400, 'shipping_not_deliverable', undefined]);
  });
});

describe('"`restriction`"', () => {
  const SHOP = location('Nairobi', NAIROBI.latitude, NAIROBI.longitude);
  const ALL = { locations: [SHOP], zones: [KENYA, TOWN], tiers: TIERS, fallback: { rate: { fee: 99 } } };

  test('"`local_only` delivers only within map zones and distance tiers (not country or postcode zones or the everywhere-else rate)"', async () => {
    await configure(shop, { ...ALL, restriction: 'local_only' });
    expect(await calculate(shop, NAIROBI)).toMatchObject({ zone_name: 'Nairobi', restriction: 'local_only' });
    expect(await calculate(shop, MOMBASA)).toMatchObject({ zone_name: null, tier_name: 'far' });
    expect(await refused(shop, LONDON)).toEqual([400, 'shipping_not_deliverable', undefined]);
    const postcodes = { name: 'London', kind: 'postcodes', country: 'GB', prefixes: ['SW'], rate: { fee: 1 } };
    await configure(shop, { zones: [postcodes], restriction: 'local_only' });
    expect(await refused(shop, { ...LONDON, postal_code: 'SW1A 1AA' })).toEqual([
      400,
      'shipping_not_deliverable',
      undefined,
    ]);
  });

  test('`local_only` accepts carrier-only requests, with or without a carrier', async () => {
    await configure(shop, { zones: [TOWN], restriction: 'local_only' });
    const address_to = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
    const asked = { address_to, parcel: { weight_grams: 850, length_cm: 30, width_cm: 20, height_cm: 10 } };
    const answer = await calculate(shop, asked);
    expect(answer).toMatchObject({ fee: null, rate_source: 'none', applied_rule: 'none', deliverable: true });
    expect([answer.rates, answer.options]).toEqual([undefined, undefined]);
    const account = { kind: 'carrier_account', name: 'Shippo', api_key: 'shippo_live_1' };
    const { provider } = (await shop.secret('POST', '/v1/shipping/providers', account)).body;
    expect(await calculate(shop, asked)).toMatchObject({ fee: null, rate_source: 'none', rates: [] });
    await shop.secret('DELETE', `/v1/shipping/providers/${provider.id}`);
    await configure(shop, { zones: [TOWN], restriction: 'pickup_only' });
    expect(await refused(shop, asked)).toEqual([400, 'shipping_not_deliverable', undefined]);
  });

  test('"`pickup_only` offers no delivery option"', async () => {
    await configure(shop, { ...ALL, locations: [{ ...SHOP, pickup: true }], restriction: 'pickup_only' });
    const answer = await calculate(shop, NAIROBI);
    expect(answer).toMatchObject({ deliverable: false, fee: null, restriction: 'pickup_only', applied_rule: 'none' });
    expect(answer.options.map(({ method }: { method: string }) => method)).toEqual(['pickup']);
    await configure(shop, { restriction: 'pickup_only' });
    expect(await refused(shop, NAIROBI)).toEqual([400, 'shipping_not_deliverable', undefined]);
  });
});
