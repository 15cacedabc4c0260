// Tests the towns that are suggested while an address is typed, from all towns of the world and over HTTP.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Gazetteer, openGazetteer } from '#services/shipping/geocode/gazetteer.ts';
import { suggestPlaces } from '#services/shipping/geocode/suggestion.ts';
import { configure, KENYA, TOWN } from '#test/services/shipping/fixture.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let gazetteer: Gazetteer;
let stoa: Stoa;
beforeAll(async () => {
  gazetteer = await openGazetteer();
  stoa = await sharedStoa();
});

const suggested = (country: string, text: string, limit = 3): string[] =>
  suggestPlaces(gazetteer, country, text, limit).map(({ city, state, postcode }) =>
    [postcode, city, state].filter(Boolean).join(' '),
  );

test.each([
  ['KE', 'nak', 'Nakuru'],
  ['KE', 'NAIROBI', 'Nairobi'],
  ['DE', 'mun', 'Munich'],
  ['DE', 'Münch', 'Munich'],
  ['DE', 'Cologne', 'Köln'],
  ['AT', 'Wien', 'Vienna'],
  ['DE', '80331 Mün', '80331 Munich'],
  ['NL', '1012AB amst', '1012AB Amsterdam'],
  ['US', 'san fran', 'San Francisco CA'],
  ['US', 'Saint L', 'St. Louis MO'],
  ['CA', 'Montr', 'Montréal QC'],
  ['AU', 'Melb', 'Melbourne VIC'],
  ['GB', 'Edin', 'Edinburgh'],
])('suggests in %s for "%s": %s', (country, text, first) => {
  expect(suggested(country, text)[0]).toBe(first);
});

test('finds later words after the first, each city of a state once, and no more than the limit', () => {
  const main = suggested('DE', 'main', 50);
  expect(main).toContain('Frankfurt am Main');
  expect(main.findIndex((name) => !name.startsWith('Main'))).toBeGreaterThan(main.lastIndexOf('Mainz'));
  const springfields = suggested('US', 'springfield', 50);
  expect(new Set(springfields).size).toBe(springfields.length);
  expect(springfields).toEqual(expect.arrayContaining(['Springfield MO', 'Springfield IL']));
  expect(suggested('US', 's', 50)).toHaveLength(50);
});

test.each([
  ['KE', '00100'],
  ['KE', '!?'],
  ['KE', ' '],
  ['KE', 'Reykjavik'],
  ['BV', 'a'],
  ['KE', '%'],
])('suggests nothing in %s for "%s"', (country, text) => {
  expect(suggested(country, text)).toEqual([]);
});

describe('GET /v1/geo/places', () => {
  interface Suggested {
    readonly city: string;
    readonly deliverable: boolean;
  }
  const places = (merchant: Merchant, query: string) => merchant.publishable('GET', `/v1/geo/places?${query}`);
  const deliverable = async (merchant: Merchant, query: string): Promise<Record<string, boolean>> => {
    const { status, text, body } = await places(merchant, query);
    expect(status, text).toBe(200);
    return Object.fromEntries(body.places.map((place: Suggested) => [place.city, place.deliverable]));
  };

  test('returns the largest towns first, with state, postcode, and whether the store delivers there', async () => {
    const merchant = await openMerchant(stoa, { country: 'KE' });
    await configure(merchant, { restriction: 'local_only', zones: [TOWN] });
    expect((await places(merchant, 'country=KE&text=nairobi&limit=1')).body).toEqual({
      places: [{ city: 'Nairobi', state: null, postal_code: null, deliverable: true }],
    });
    expect(await deliverable(merchant, 'country=KE&text=momb')).toMatchObject({ Mombasa: false });
    expect((await places(merchant, 'country=us&text=94107+San+Fran&limit=1')).body).toEqual({
      places: [{ city: 'San Francisco', state: 'CA', postal_code: '94107', deliverable: false }],
    });
    expect((await places(merchant, 'country=KE&text=n&fields=city')).body.places[0]).toEqual({ city: 'Nairobi' });
    expect((await places(merchant, 'country=KE&text=n')).body.places).toHaveLength(8);
  });

  test('answers by zones of postcodes once a postcode is typed', async () => {
    const merchant = await openMerchant(stoa, { country: 'GB' });
    await configure(merchant, {
      zones: [{ name: 'West', kind: 'postcodes', country: 'GB', prefixes: ['SW1'], rate: { fee: 2 } }],
      restriction: 'none',
    });
    expect(await deliverable(merchant, 'country=GB&text=London&limit=1')).toEqual({ London: true });
    expect(await deliverable(merchant, 'country=GB&text=SW1A2AA+London&limit=1')).toEqual({ London: true });
    expect(await deliverable(merchant, 'country=GB&text=E16AN+London&limit=1')).toEqual({ London: false });
    expect(await deliverable(merchant, 'country=KE&text=Nairobi&limit=1')).toEqual({ Nairobi: false });
  });

  test('delivers everywhere before anything is configured, and nowhere with pickup only', async () => {
    const merchant = await openMerchant(stoa, { country: 'KE' });
    expect(await deliverable(merchant, 'country=KE&text=nairobi&limit=1')).toEqual({ Nairobi: true });
    await configure(merchant, { restriction: 'pickup_only' });
    expect(await deliverable(merchant, 'country=KE&text=nairobi&limit=1')).toEqual({ Nairobi: false });
  });

  test('keeps answers until the configuration changes, each environment its own', async () => {
    const merchant = await openMerchant(stoa, { country: 'KE' });
    await configure(merchant, { zones: [KENYA] });
    const query = 'country=KE&text=nairobi&limit=1';
    await eventually(async () => {
      const { headers } = await places(merchant, query);
      expect(headers.get('X-Cache')).toBe('HIT');
    });
    await configure(merchant, { restriction: 'pickup_only' });
    await eventually(async () => expect(await deliverable(merchant, query)).toEqual({ Nairobi: false }));
    const sandbox = await merchant.test('GET', `/v1/geo/places?${query}`);
    expect(sandbox.body.places).toMatchObject([{ city: 'Nairobi', deliverable: true }]);
  });

  test('suggests the largest towns of the store’s country, and asks a store without one for a country', async () => {
    const { body } = await places(kenyan, 'limit=2');
    expect(body.places.map(({ city }: Suggested) => city)).toEqual(['Nairobi', 'Mombasa']);
    const anywhere = await openMerchant(stoa);
    const { status, body: refused } = await places(anywhere, 'text=n');
    expect([status, refused.error.code, refused.error.param]).toEqual([400, 'invalid_request', 'country']);
  });

  let kenyan: Merchant;
  beforeAll(async () => {
    kenyan = await openMerchant(stoa, { country: 'KE' });
  });

  test.each([
    ['country=XX&text=n', 'country'],
    ['country=KEN&text=n', 'country'],
    ['country=&text=n', 'country'],
    ['country=KE&text=%00', 'text'],
    [`country=KE&text=${'n'.repeat(101)}`, 'text'],
    ['country=KE&text=n&limit=0', 'limit'],
    ['country=KE&text=n&limit=51', 'limit'],
    ['country=KE&text=n&limit=many', 'limit'],
  ])('refuses "%s" and names %s', async (query, param) => {
    const { status, body } = await places(kenyan, query);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
  });
});
