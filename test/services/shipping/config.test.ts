// Tests that invalid shipping configurations are refused with 400 and `param` and leave the stored one in force.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  calculate,
  configure,
  KENYA,
  location,
  NAIROBI,
  square,
  TIERS,
  TOWN,
} from '#test/services/shipping/fixture.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let shop: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa, { country: 'KE' });
});

const polygon = (...rings: (readonly (readonly number[])[])[]) => ({ type: 'Polygon', coordinates: rings });
const map = (geometry: unknown) => ({ zones: [KENYA, { name: 'map', kind: 'map', geometry, rate: { fee: 1 } }] });
const rate = (more: object) => ({ fallback: { rate: { fee: 1, ...more } } });
const tier = (from_meters: number, to_meters: number | null) => ({
  name: 't',
  from_meters,
  to_meters,
  rate: { fee: 1 },
});
const ID = 'b9a1e7a0-0000-4000-8000-000000000001';

/** Builds a closed ring of corners around a point. */
const circle = (corners: number) => {
  const ring = Array.from({ length: corners }, (_, at) => [
    Math.cos((at / corners) * 2 * Math.PI),
    Math.sin((at / corners) * 2 * Math.PI),
  ]);
  return [...ring, ring[0]!];
};

const REFUSED: readonly (readonly [name: string, config: object | string, param: string])[] = [
  ['an unknown restriction', { restriction: 'nothing' }, 'restriction'],
  ['zones that are no list', { zones: {} }, 'zones'],
  ['a zone without a rate', { zones: [{ name: 'x', kind: 'countries', countries: ['KE'] }] }, 'zones[0].rate'],
  ['a zone of an unknown kind', { zones: [{ ...KENYA, kind: 'moon' }] }, 'zones[0].kind'],
  ['a zone without countries', { zones: [{ ...KENYA, countries: [] }] }, 'zones[0].countries'],
  ['a country that is none', { zones: [{ ...KENYA, countries: ['KE', 'XX'] }] }, 'zones[0].countries[1]'],
  [
    'postcodes of no country',
    { zones: [{ name: 'x', kind: 'postcodes', prefixes: ['1'], rate: { fee: 1 } }] },
    'zones[0].country',
  ],
  ['no postcodes', { zones: [{ name: 'x', kind: 'postcodes', country: 'GB', rate: { fee: 1 } }] }, 'zones[0].prefixes'],
  [
    'a postcode of nothing but a hyphen',
    { zones: [{ name: 'x', kind: 'postcodes', country: 'GB', prefixes: ['SW1', '-'], rate: { fee: 1 } }] },
    'zones[0].prefixes[1]',
  ],
  [
    'two zones of one id',
    {
      zones: [
        { ...KENYA, id: ID },
        { ...TOWN, id: ID },
      ],
    },
    'zones[1].id',
  ],
  ['a map without a geometry', map(undefined), 'zones[1].geometry'],
  ['a geometry that is none', map('round'), 'zones[1].geometry'],
  ['a point', map({ type: 'Point', coordinates: [0, 0] }), 'zones[1].geometry.type'],
  ['a polygon without rings', map(polygon()), 'zones[1].geometry.coordinates'],
  ['a multipolygon without polygons', map({ type: 'MultiPolygon', coordinates: [] }), 'zones[1].geometry.coordinates'],
  [
    'an open ring',
    map(
      polygon([
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ]),
    ),
    'zones[1].geometry.coordinates[0]',
  ],
  [
    'a ring that crosses itself',
    map(
      polygon([
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 3],
        [0, 0],
      ]),
    ),
    'zones[1].geometry.coordinates',
  ],
  [
    'a hole that crosses its ring',
    map(polygon(square(0, 0, 4).coordinates[0]!, square(2, 0, 2).coordinates[0]!)),
    'zones[1].geometry.coordinates',
  ],
  [
    'a ring without area',
    map(
      polygon([
        [0, 0],
        [1, 1],
        [2, 2],
        [0, 0],
      ]),
    ),
    'zones[1].geometry.coordinates[0]',
  ],
  [
    'a longitude beyond the world',
    map(
      polygon([
        [0, 0],
        [181, 0],
        [1, 1],
        [0, 0],
      ]),
    ),
    'zones[1].geometry.coordinates[0][1]',
  ],
  [
    'a latitude beyond the pole',
    map(
      polygon([
        [0, 0],
        [1, 0],
        [1, 90.01],
        [0, 0],
      ]),
    ),
    'zones[1].geometry.coordinates[0][2]',
  ],
  [
    'a position of text',
    map(polygon([[0, 0], ['1', 0] as never, [1, 1], [0, 0]])),
    'zones[1].geometry.coordinates[0][1]',
  ],
  ['a position of one number', map(polygon([[0, 0], [1], [1, 1], [0, 0]])), 'zones[1].geometry.coordinates[0][1]'],
  ['10,001 vertices', map(polygon(circle(10_001))), 'zones[1].geometry'],
  ['5,001 zones', { zones: Array.from({ length: 5_001 }, () => KENYA) }, 'zones'],
  ['a tier that ends where it begins', { tiers: [tier(0, 5), tier(5, 5)] }, 'tiers[1].to_meters'],
  ['tiers that overlap', { tiers: [tier(0, 10), tier(5, 15)] }, 'tiers[1].from_meters'],
  ['tiers that overlap, the later one first', { tiers: [tier(5, 15), tier(0, 10)] }, 'tiers[0].from_meters'],
  ['a tier beyond an open end', { tiers: [tier(0, null), tier(5, 15)] }, 'tiers[1].from_meters'],
  ['a tier that begins below nothing', { tiers: [tier(-1, 5)] }, 'tiers[0].from_meters'],
  ['a fee below nothing', rate({ fee: -0.01 }), 'fallback.rate.fee'],
  ['a fee of a tenth of a cent', rate({ fee: 1.001 }), 'fallback.rate.fee'],
  ['a fee of text', rate({ fee: '5' }), 'fallback.rate.fee'],
  ['a fee too high', rate({ fee: 100_000_000 }), 'fallback.rate.fee'],
  ['a threshold below nothing', rate({ free_threshold: -1 }), 'fallback.rate.free_threshold'],
  [
    'a band below nothing',
    rate({ weight_bands: [{ up_to_grams: -1, fee: 1 }] }),
    'fallback.rate.weight_bands[0].up_to_grams',
  ],
  [
    'a band of a fee below nothing',
    rate({ weight_bands: [{ up_to_grams: 1, fee: -1 }] }),
    'fallback.rate.weight_bands[0].fee',
  ],
  [
    'bands out of order',
    rate({
      weight_bands: [
        { up_to_grams: 9, fee: 1 },
        { up_to_grams: 9, fee: 2 },
      ],
    }),
    'fallback.rate.weight_bands[1].up_to_grams',
  ],
  [
    'a surcharge below nothing',
    rate({ category_rules: [{ category_id: ID, surcharge: -1 }] }),
    'fallback.rate.category_rules[0].surcharge',
  ],
  ['an option of a fee below nothing', rate({ options: [{ name: 'x', fee: -1 }] }), 'fallback.rate.options[0].fee'],
  ['an option without a name', rate({ options: [{ name: '', fee: 1 }] }), 'fallback.rate.options[0].name'],
  [
    'two options of one id',
    rate({
      options: [
        { id: ID, name: 'x', fee: 1 },
        { id: ID, name: 'y', fee: 1 },
      ],
    }),
    'fallback.rate.options[1].id',
  ],
  ['a location beyond the world', { locations: [location('x', 90.1, 0)] }, 'locations[0].latitude'],
  [
    'a location in no country',
    { locations: [location('x', 0, 0, { address: { line1: '', city: '', country: 'ZZ' } })] },
    'locations[0].address.country',
  ],
  [
    'two primary locations',
    { locations: [location('x', 0, 0, { primary: true }), location('y', 0, 0, { primary: true })] },
    'locations[1].primary',
  ],
  ['a location without an address', { locations: [{ name: 'x', latitude: 0, longitude: 0 }] }, 'locations[0].address'],
];

describe('an invalid configuration leaves the stored one unchanged and is refused with `param`', () => {
  test('refuses each invalid field', async () => {
    const before = await configure(shop, { zones: [TOWN], tiers: TIERS });
    const answers: unknown[] = [];
    for (const [name, config] of REFUSED) {
      const { status, body } = await shop.secret('PUT', '/v1/shipping/config', config);
      answers.push([name, status, body.error?.code, body.error?.param]);
    }
    expect(answers).toEqual(REFUSED.map(([name, , param]) => [name, 400, 'invalid_request', param]));
    expect((await shop.secret('GET', '/v1/shipping/config')).body).toEqual(before);
    expect((await calculate(shop, NAIROBI)).fee).toBe(3.5);
  });

  test('refuses NaN, Infinity and other numbers outside JSON', async () => {
    for (const word of ['NaN', 'Infinity', '-Infinity', '1e999', '0x10', '01']) {
      const config = `{"fallback":{"rate":{"fee":${word}}}}`;
      const { status, body } = await shop.secret('PUT', '/v1/shipping/config', config);
      expect([word, status, body.error?.code]).toEqual([word, 400, 'invalid_request']);
      const asked = await shop.publishable('POST', '/v1/shipping/calculate', `{"latitude":${word},"longitude":0}`);
      expect([word, asked.status, asked.body.error?.code]).toEqual([word, 400, 'invalid_request']);
    }
  });

  test('refuses an empty body', async () => {
    await configure(shop, { fallback: { rate: { fee: 43 } } });
    const reply = await shop.secret('PUT', '/v1/shipping/config');
    expect([reply.status, reply.body.error?.code]).toEqual([400, 'invalid_request']);
    expect((await shop.secret('GET', '/v1/shipping/config')).body.fallback.rate.fee).toBe(43);
  });

  test('refuses an unknown category with 404', async () => {
    const config = rate({ category_rules: [{ category_id: ID, surcharge: 1 }] });
    const { status, body } = await shop.secret('PUT', '/v1/shipping/config', config);
    expect([status, body.error.code, body.error.param]).toEqual([
      404,
      'not_found',
      'fallback.rate.category_rules[0].category_id',
    ]);
  });
});

test.each([
  ['latitude', { latitude: 90.0001, longitude: 0 }],
  ['longitude', { latitude: 0, longitude: -180.0001 }],
  ['latitude', { latitude: '1', longitude: 0 }],
  ['longitude', { latitude: 1, longitude: null }],
  ['latitude', { latitude: [1], longitude: 1 }],
])('a %s out of range or no number is refused', async (param, body) => {
  const answer = await shop.publishable('POST', '/v1/shipping/calculate', body);
  expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, 'invalid_request', param]);
});

describe('replacing a configuration', () => {
  test('returns ids and keeps those that are sent again', async () => {
    const rates = { fee: 4, options: [{ name: 'Express', fee: 9 }] };
    const written = await configure(shop, {
      locations: [location('Nairobi', NAIROBI.latitude, NAIROBI.longitude)],
      zones: [{ ...TOWN, rate: rates }],
      tiers: TIERS,
      fallback: null,
    });
    expect((await shop.secret('GET', '/v1/shipping/config')).body).toEqual(written);
    expect(written).toMatchObject({ restriction: 'none', fulfil_from: 'primary', fallback: null });
    expect(await configure(shop, written)).toEqual({ ...written, updated_at: expect.any(String) });
    expect(await configure(shop, {})).toEqual({
      updated_at: expect.any(String),
      restriction: 'none',
      fulfil_from: 'primary',
      locations: [],
      zones: [],
      tiers: [],
      fallback: null,
    });
  });

  test('accepts 10,000 vertices with repeated positions and heights', async () => {
    const ring = circle(9_999).map((position) => [...position, 12]);
    await configure(shop, {
      zones: [{ name: 'round', kind: 'map', geometry: polygon([ring[0]!, ...ring]), rate: { fee: 2 } }],
    });
    expect((await calculate(shop, { latitude: 0.5, longitude: 0.5 })).fee).toBe(2);
  });

  test('accepts combs of 8,002 vertices, upright and slanted', async () => {
    for (const lean of [0, 20]) {
      const teeth = Array.from({ length: 4_000 }, (_, at): [number, number][] => [
        [0, -50 + at * 0.01],
        [40, -50 + at * 0.01 + 0.003 + lean],
      ]).flat();
      const ring = [...teeth, [-5, -10], [-5, -50]];
      await configure(shop, {
        zones: [{ name: 'comb', kind: 'map', geometry: polygon([...ring, ring[0]!]), rate: { fee: 3 } }],
        fallback: { rate: { fee: 9 } },
      });
      expect((await calculate(shop, { latitude: -30, longitude: -3 })).fee).toBe(3);
      expect((await calculate(shop, { latitude: -30, longitude: 60 })).fee).toBe(9);
    }
  });

  test('stores exactly one of several concurrent configurations', async () => {
    const fees = [1, 2, 3, 4, 5];
    const config = (fee: number) => ({
      zones: Array.from({ length: 40 }, (_, at) => ({ ...TOWN, name: `${fee}/${at}`, rate: { fee } })),
      fallback: { rate: { fee } },
    });
    const answers = await Promise.all(fees.map((fee) => shop.secret('PUT', '/v1/shipping/config', config(fee))));
    // Callers that waited too long are refused with 503.
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    const written = fees.filter((_, at) => answers[at]!.status === 200);
    const { body } = await shop.secret('GET', '/v1/shipping/config');
    const left = new Set([...body.zones, body.fallback].map(({ rate: { fee } }) => fee));
    expect([left.size, body.zones.length]).toEqual([1, 40]);
    expect(written).toContain([...left][0]);
    expect((await calculate(shop, NAIROBI)).fee).toBe([...left][0]);
  });

  test('prices by the new configuration on every edge shortly after', async () => {
    await configure(shop, { fallback: { rate: { fee: 41 } } });
    const other = stoa.anotherEdge();
    const ask = () =>
      fetch(`${other.url}/v1/shipping/calculate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${shop.keys.publishable_key}`, 'content-type': 'application/json' },
        body: JSON.stringify(NAIROBI),
      });
    await eventually(async () => expect(((await (await ask()).json()) as { fee: number }).fee).toBe(41));
    await configure(shop, { fallback: { rate: { fee: 42 } } });
    await eventually(async () => expect(((await (await ask()).json()) as { fee: number }).fee).toBe(42));
  });

  test('prices in the store’s new currency after it changes', async () => {
    const merchant = await openMerchant(stoa);
    await configure(merchant, { fallback: { rate: { fee: 2.55 } } });
    expect(await calculate(merchant, NAIROBI)).toMatchObject({ fee: 2.55, currency: 'USD' });
    await merchant.secret('PATCH', '/v1/store', { currency: 'JPY' });
    await eventually(async () => expect(await calculate(merchant, NAIROBI)).toMatchObject({ fee: 3, currency: 'JPY' }));
  });
});
