// Tests geocoding through the server in STOA_GEOCODER_URL over HTTP, including its failures.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { calculate, configure, KENYA, refused, square } from '#test/services/shipping/fixture.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const MOI_AVENUE = {
  lat: '-1.28325',
  lon: '36.82194',
  address: { road: 'Moi Avenue', postcode: '00100', country_code: 'ke' },
};
let answer: () => Response;
const asked: URLSearchParams[] = [];
const geocoder = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) => {
    asked.push(new URL(url).searchParams);
    return answer();
  },
});

let stoa: Stoa;
let shop: Merchant;
beforeAll(async () => {
  process.env.STOA_GEOCODER_URL = `http://127.0.0.1:${geocoder.port}`;
  stoa = await startStoa();
  shop = await openMerchant(stoa, { country: 'KE' });
  await configure(shop, {
    zones: [
      { name: 'Centre', kind: 'postcodes', country: 'KE', prefixes: ['001'], rate: { fee: 2 } },
      { name: 'Around', kind: 'map', geometry: square(36.82, -1.28, 0.1), rate: { fee: 5 } },
      KENYA,
    ],
    fallback: { rate: { fee: 20 } },
  });
});
beforeEach(() => {
  asked.length = 0;
  answer = () => Response.json([MOI_AVENUE]);
});
afterAll(async () => {
  await stoa?.stop();
  delete process.env.STOA_GEOCODER_URL;
  await geocoder.stop(true);
});

test('"coordinates: … (country and postcode when known; geocoded when place_name was sent)"', async () => {
  expect(await calculate(shop, { place_name: '12 Moi Avenue, Nairobi' })).toMatchObject({
    fee: 2,
    zone_name: 'Centre',
    coordinates: { latitude: -1.28325, longitude: 36.82194, country_code: 'KE', postal_code: '00100' },
  });
  expect(asked.map((query) => query.get('q'))).toEqual(['12 Moi Avenue, Nairobi']);
});

test('"`country_code` … `postal_code` (… wins over the geocoded value)"', async () => {
  const place_name = '14 Moi Avenue, Nairobi';
  const coordinates = { latitude: -1.28325, longitude: 36.82194 };
  expect(await calculate(shop, { place_name, postal_code: '80100' })).toMatchObject({
    zone_name: 'Around',
    coordinates: { ...coordinates, country_code: 'KE', postal_code: '80100' },
  });
  expect(await calculate(shop, { place_name, country_code: 'tz' })).toMatchObject({
    zone_name: 'Around',
    coordinates: { ...coordinates, country_code: 'TZ', postal_code: '00100' },
  });
  expect(asked.map((query) => query.get('countrycodes'))).toEqual([null, 'tz']);
});

test('geocodes an order’s address, and uses its country and postcode when the geocoder is down', async () => {
  const { variant_id } = await shop.createProduct({ price: 10, stock: 10 });
  const ordered = async (address: object) => {
    const body = {
      items: [{ variant_id, quantity: 1 }],
      email: 'ada@example.com',
      shipping_address: { first_name: 'Ada', last_name: 'Mwangi', city: 'Nairobi', country: 'KE', ...address },
    };
    const {
      status,
      text,
      body: placed,
    } = await shop.secret('POST', '/v1/orders', body, {
      signWith: shop.keys.hmac_secret,
    });
    expect(status, text).toBe(201);
    return placed.order.shipping_option_name;
  };
  expect(await ordered({ line1: '16 Moi Avenue' })).toBe('Centre');
  expect(asked.map((query) => [query.get('q'), query.get('countrycodes')])).toEqual([['16 Moi Avenue, Nairobi', 'ke']]);
  answer = () => new Response('busy', { status: 429 });
  expect(await ordered({ line1: '18 Moi Avenue' })).toBe('Kenya');
  expect(await ordered({ line1: '18 Moi Avenue', postal_code: '00101' })).toBe('Centre');
});

test('refuses an unknown name with 400 and reports a silent geocoder as unavailable', async () => {
  answer = () => Response.json([]);
  expect(await refused(shop, { place_name: 'Nowhere-at-all' })).toEqual([400, 'invalid_request', 'place_name']);
  answer = () => new Response('busy', { status: 429 });
  const reply = await shop.publishable('POST', '/v1/shipping/calculate', { place_name: '20 Moi Avenue' });
  expect([reply.status, reply.body.error.code]).toEqual([503, 'service_unavailable']);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
});
