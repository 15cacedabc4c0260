// "Shipping calculation result", field by field of the specification, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  calculate,
  configure,
  KISUMU,
  location,
  MOMBASA,
  NAIROBI,
  refused,
  square,
  TIERS,
  TOWN,
} from '#test/services/shipping/shop.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
/** One merchant for each test that writes nothing but a configuration. */
let shop: Merchant;
beforeAll(async () => {
  stoa = await startStoa();
  shop = await openMerchant(stoa, { country: 'KE' });
});
afterAll(() => stoa.stop());

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
      // "false when the option exists but does not yet apply, usually order_total below its minimum_order"
      available: false,
    });
    expect(options[3]).toEqual({
      ...common,
      id: `pickup:${nairobi.id}`,
      method: 'pickup',
      name: 'Nairobi',
      fee: 0,
      is_free: true,
      // "pickup options only: id, name, address (line1, city, state, postal_code, country), latitude, longitude, hours, …"
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

  test('measured from it', async () => {
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

  test('null where it ships from the primary one, from the only one, or where the nearest does not ship', async () => {
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

describe("the result's other fields", () => {
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
