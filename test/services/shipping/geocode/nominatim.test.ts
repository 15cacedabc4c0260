// Tests the Nominatim geocoder against a local server: request format, shared requests, cache expiry.
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '#runtime/call/fault.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { openNominatim } from '#services/shipping/geocode/nominatim.ts';
import type { Geocoder } from '#services/shipping/geocode/place.ts';

let answer: () => Response | Promise<Response> = () => Response.json([]);
const asked: URL[] = [];
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (request) => {
    asked.push(new URL(request.url));
    return answer();
  },
});
afterAll(() => server.stop(true));

let now = 0;
let geocoder: Geocoder;
beforeEach(() => {
  asked.length = 0;
  now = 1_000_000;
  geocoder = openNominatim(connectOutbound({ allowLocal: true }), `http://127.0.0.1:${server.port}/`, () => now);
});

const NAIROBI = {
  lat: '-1.2832533',
  lon: '36.8172449',
  address: { city: 'Nairobi', postcode: '00100', country: 'Kenya', country_code: 'ke' },
  extratags: { population: '4397073' },
};

test('requests candidates with addresses within the known country', async () => {
  answer = () => Response.json([NAIROBI]);
  expect(await geocoder.find('  Nairobi  CBD ', 'KE')).toEqual([
    { latitude: -1.2832533, longitude: 36.8172449, country: 'KE', postcode: '00100', population: 4_397_073 },
  ]);
  const [url] = asked;
  expect(url!.pathname).toBe('/search');
  expect(Object.fromEntries(url!.searchParams)).toEqual({
    q: 'Nairobi CBD',
    format: 'jsonv2',
    addressdetails: '1',
    extratags: '1',
    limit: '5',
    countrycodes: 'ke',
  });
});

test('caches a result for a day and shares one request among waiting callers', async () => {
  answer = () => Response.json([NAIROBI]);
  await Promise.all([geocoder.find('Nairobi', null), geocoder.find('Nairobi', null)]);
  await geocoder.find(' Nairobi ', null);
  expect(asked).toHaveLength(1);
  await geocoder.find('Nairobi', 'KE');
  expect(asked).toHaveLength(2);
  now += 25 * 3_600_000;
  await geocoder.find('Nairobi', null);
  expect(asked).toHaveLength(3);
});

test('drops invalid places and reports missing fields as null', async () => {
  answer = () =>
    Response.json([
      null,
      {},
      { lat: 'x', lon: '1' },
      { lat: '91', lon: '0' },
      { lat: '1', lon: '2', address: { country_code: 'kenya' } },
    ]);
  expect(await geocoder.find('anything', null)).toEqual([
    { latitude: 1, longitude: 2, country: null, postcode: null, population: 0 },
  ]);
});

describe('reports unavailable and retries on the next call when the response is', () => {
  test.each([
    ['with an error', () => new Response('busy', { status: 429 })],
    ['no JSON', () => new Response('<html>')],
    ['no list', () => Response.json({ error: 'Unable to geocode' })],
    ['with a redirect', () => new Response(null, { status: 302, headers: { location: '/elsewhere' } })],
  ])('%s', async (_name, bad) => {
    answer = bad;
    await expect(geocoder.find('Nairobi', null)).rejects.toBeInstanceOf(Unavailable);
    answer = () => Response.json([NAIROBI]);
    expect(await geocoder.find('Nairobi', null)).toHaveLength(1);
  });
});
