// Tests each field of the shipping calculation over HTTP.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  calculate,
  configure,
  KENYA,
  KISUMU,
  LONDON,
  location,
  MOMBASA,
  NAIROBI,
  refused,
  square,
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

describe('"Options order"', () => {
  test('"`place` first, then named `opt:` options, then pickup options nearest first when the location is known"', async () => {
    const rate = {
      fee: 4,
      options: [
        { name: 'Express', fee: 9 },
        { name: 'Sunday', fee: 7, minimum_order: 50 },
      ],
    };
    const written = await configure(shop, {
      locations: [
        location('Kisumu', KISUMU.latitude, KISUMU.longitude, { pickup: true, hours: 'Mon-Fri 9-17' }),
        location('Nairobi', NAIROBI.latitude, NAIROBI.longitude, { pickup: true, instructions: 'Ring twice' }),
        location('Store room', NAIROBI.latitude, NAIROBI.longitude),
      ],
      zones: [{ ...TOWN, rate }],
    });
    const [kisumu, nairobi] = written.locations;
    const [express, sunday] = written.zones[0].rate.options;
    const { options } = await calculate(shop, { ...NAIROBI, order_total: 49.99 });
    expect(options.map(({ id }: { id: string }) => id)).toEqual([
      'place',
      `opt:${express.id}`,
      `opt:${sunday.id}`,
      `pickup:${nairobi.id}`,
      `pickup:${kisumu.id}`,
    ]);
    const common = { currency: 'USD', estimate: null, is_free: false, available: true };
    expect(options[0]).toEqual({
      ...common,
      id: 'place',
      method: 'delivery',
      name: 'Nairobi',
      fee: 4,
      free_threshold: null,
    });
    expect(options[2]).toEqual({
      ...common,
      id: `opt:${sunday.id}`,
      method: 'delivery',
      name: 'Sunday',
      fee: 7,
      // False while order_total is below the option's minimum_order.
      available: false,
    });
    expect(options[3]).toEqual({
      ...common,
      id: `pickup:${nairobi.id}`,
      method: 'pickup',
      name: 'Nairobi',
      fee: 0,
      is_free: true,
      location: {
        id: nairobi.id,
        name: 'Nairobi',
        address: { line1: '1 Nairobi Road', city: 'Nairobi', state: null, postal_code: null, country: 'KE' },
        ...NAIROBI,
        hours: null,
        instructions: 'Ring twice',
        distance_meters: 0,
      },
    });
    expect((await calculate(shop, { ...NAIROBI, order_total: 50 })).options[2].available).toBe(true);
    const listed = await shop.publishable('GET', '/v1/pickup-locations');
    expect(listed.body.locations.map(({ id }: { id: string }) => id)).toEqual([kisumu.id, nairobi.id]);
  });
});

describe('"fulfilled_from: nearest store location when the store ships from the nearest of several; distance tiers are measured from it"', () => {
  const [NORTH, SOUTH] = [
    location('Kisumu', KISUMU.latitude, KISUMU.longitude, { primary: true }),
    location('Mombasa', MOMBASA.latitude, MOMBASA.longitude),
  ];
  const near = { latitude: MOMBASA.latitude, longitude: MOMBASA.longitude + 0.1 };

  test('measures distance tiers from the nearest location', async () => {
    const written = await configure(shop, { fulfil_from: 'nearest', locations: [NORTH, SOUTH], tiers: TIERS });
    const answer = await calculate(shop, near);
    expect(answer).toMatchObject({
      tier_name: 'near',
      fulfilled_from: { ...MOMBASA, id: written.locations[1].id, name: 'Mombasa' },
    });
    expect(answer.fulfilled_from.distance_meters).toBe(answer.distance_meters);
    expect(answer.distance_meters).toBeGreaterThan(11_000);
    expect(answer.distance_meters).toBeLessThan(11_200);
  });

  test('returns null when shipping from the primary or only location, or when the nearest does not ship', async () => {
    await configure(shop, {
      fulfil_from: 'primary',
      locations: [SOUTH, NORTH],
      tiers: TIERS,
      fallback: { rate: { fee: 1 } },
    });
    const primary = await calculate(shop, near);
    expect(primary).toMatchObject({ fulfilled_from: null, applied_rule: 'fallback' });
    expect(primary.distance_meters).toBeGreaterThan(500_000);
    await configure(shop, { fulfil_from: 'nearest', locations: [SOUTH], tiers: TIERS });
    expect(await calculate(shop, near)).toMatchObject({ fulfilled_from: null, tier_name: 'near' });
    await configure(shop, {
      fulfil_from: 'nearest',
      locations: [NORTH, { ...SOUTH, ships: false }, location('Nairobi', NAIROBI.latitude, NAIROBI.longitude)],
      fallback: { rate: { fee: 1 } },
    });
    expect(await calculate(shop, near)).toMatchObject({ fulfilled_from: { name: 'Nairobi' } });
  });
});

describe("the result's fields", () => {
  const RATE = { fee: 4, free_threshold: 30, options: [{ name: 'Express', fee: 9, estimate: 'today' }] };
  const STORE = location('Nairobi', NAIROBI.latitude, NAIROBI.longitude, { pickup: true });
  const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
  const PARCEL = { weight_grams: 850, length_cm: 30, width_cm: 20, height_cm: 10 };

  test('"fee: standard delivery charge (the `place` option\'s fee); null on carrier-only requests and when deliverable is false"', async () => {
    await configure(shop, { locations: [STORE], zones: [{ ...TOWN, rate: RATE }] });
    for (const [order_total, fee] of [
      [29.99, 4],
      [30, 0],
    ]) {
      const answer = await calculate(shop, { ...NAIROBI, order_total });
      expect(answer).toMatchObject({ fee, is_free: fee === 0, deliverable: true });
      expect(answer.options[0]).toMatchObject({ id: 'place', fee });
    }
    const carried = await calculate(shop, { address_to: ADDRESS, parcel: PARCEL });
    expect(carried).toMatchObject({ fee: null, is_free: false });
    expect(carried).not.toHaveProperty('options');
    expect(await calculate(shop, MOMBASA)).toMatchObject({ fee: null, is_free: false, deliverable: false });
  });

  test('"is_free: true when fee is 0", whether or not there is a threshold', async () => {
    await configure(shop, { fallback: { rate: { fee: 0 } } });
    expect(await calculate(shop, NAIROBI)).toMatchObject({ fee: 0, is_free: true, free_threshold: null });
  });

  test('"zone_name: zone that priced the address", "tier_name: distance rate that priced the address", "rate_source: `zone`, `tier`, `fallback`, … `none`"', async () => {
    await configure(shop, { locations: [STORE], zones: [TOWN], tiers: TIERS, fallback: { rate: { fee: 99 } } });
    const sourcesOf = async (place: object) => {
      const { zone_name, tier_name, applied_rule, rate_source } = await calculate(shop, place);
      return [zone_name, tier_name, applied_rule, rate_source];
    };
    expect(await sourcesOf(NAIROBI)).toEqual(['Nairobi', null, 'zone', 'zone']);
    expect(await sourcesOf(MOMBASA)).toEqual([null, 'far', 'distance', 'tier']);
    expect(await sourcesOf(LONDON)).toEqual([null, null, 'fallback', 'fallback']);
    await configure(shop, { locations: [STORE], zones: [TOWN] });
    expect(await sourcesOf(LONDON)).toEqual([null, null, 'none', 'none']);
  });

  test('"free_threshold: order total from which the matched rate is free", "on the `place` option" and on no other', async () => {
    const express = { name: 'Express', fee: 9, free_threshold: 80 };
    const zone = { ...TOWN, rate: { ...RATE, options: [express] } };
    await configure(shop, { locations: [STORE], zones: [zone], fallback: { rate: { fee: 1, free_threshold: 500 } } });
    const answer = await calculate(shop, NAIROBI);
    expect(answer.free_threshold).toBe(30);
    expect(answer.options.map((option: object) => 'free_threshold' in option)).toEqual([true, false, false]);
    expect(answer.options[0].free_threshold).toBe(30);
    expect((await calculate(shop, LONDON)).free_threshold).toBe(500);
  });

  test('"`opt:<option_id>` (named extra option on the same rate)": of no other rate; "estimate: string or null"', async () => {
    const zones = [
      { ...TOWN, rate: RATE },
      { ...KENYA, rate: { fee: 8, estimate: '2 days', options: [{ name: 'Sunday', fee: 20 }] } },
    ];
    await configure(shop, { zones });
    const offered = async (place: object) =>
      (await calculate(shop, place)).options.map(({ name, estimate }: Record<string, unknown>) => [name, estimate]);
    expect(await offered(NAIROBI)).toEqual([
      ['Nairobi', null],
      ['Express', 'today'],
    ]);
    expect(await offered(MOMBASA)).toEqual([
      ['Kenya', '2 days'],
      ['Sunday', null],
    ]);
  });

  test('"configured: false means the store has no delivery rates", wherever it may be picked up', async () => {
    await configure(shop, { locations: [STORE] });
    expect(await calculate(shop, NAIROBI)).toMatchObject({ configured: false, fee: 0, applied_rule: 'none' });
    for (const rates of [{ zones: [TOWN] }, { tiers: TIERS }, { fallback: { rate: { fee: 1 } } }]) {
      await configure(shop, { locations: [STORE], ...rates });
      expect(await calculate(shop, NAIROBI)).toMatchObject({ configured: true });
    }
  });

  test('"coordinates: latitude, longitude, country_code, postal_code (country and postcode when known …)"', async () => {
    await configure(shop, { fallback: { rate: { fee: 1 } } });
    const coordinates = async (place: object) => (await calculate(shop, place)).coordinates;
    expect(await coordinates(NAIROBI)).toEqual({ ...NAIROBI, country_code: 'KE' });
    const postal_code = '0123456789ABCDEF';
    expect(await coordinates({ ...NAIROBI, postal_code })).toEqual({ ...NAIROBI, country_code: 'KE', postal_code });
    const ocean = { latitude: -40, longitude: -120 };
    expect(await coordinates(ocean)).toEqual(ocean);
    expect(await coordinates({ ...ocean, country_code: 'ke' })).toEqual({ ...ocean, country_code: 'KE' });
  });

  test('"currency: store\'s own currency", whose decimals bound all amounts', async () => {
    const merchant = await openMerchant(stoa, { currency: 'JPY', country: 'JP' });
    await configure(merchant, { fallback: { rate: { fee: 500 } } });
    const answer = await calculate(merchant, NAIROBI);
    expect(answer).toMatchObject({ fee: 500, currency: 'JPY', options: [{ currency: 'JPY' }] });
    expect(await refused(merchant, { ...NAIROBI, order_total: 1.5 })).toEqual([400, 'invalid_request', 'order_total']);
  });

  test('"reason: short shopper-readable explanation"', async () => {
    await configure(shop, { zones: [{ ...TOWN, rate: { fee: 3.5, free_threshold: 50 } }] });
    expect((await calculate(shop, NAIROBI)).reason).toBe(
      'Delivery to Nairobi costs 3.50 USD and is free from an order total of 50.00.',
    );
  });

  test('"distance_meters: when measured": not where nothing is sent from anywhere', async () => {
    await configure(shop, { zones: [TOWN] });
    expect(await calculate(shop, NAIROBI)).not.toHaveProperty('distance_meters');
  });

  test("a map zone's border belongs to it, and the first of two that share one has it", async () => {
    const [west, east] = [square(36, 0, 2), square(38, 0, 2)];
    await configure(shop, {
      zones: [
        { name: 'west', kind: 'map', geometry: west, rate: { fee: 1 } },
        { name: 'east', kind: 'map', geometry: east, rate: { fee: 2 } },
      ],
    });
    expect((await calculate(shop, { latitude: 0, longitude: 37 })).zone_name).toBe('west');
    expect((await calculate(shop, { latitude: 0, longitude: 37.0001 })).zone_name).toBe('east');
  });
});
