// Deliveries in several languages: readers at once get no text of another language, and the configuration keeps its translations.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { sharedStoa } from '#test/support/stoa.ts';

/** Rounds in which readers of several languages read the same address at once. */
const ROUNDS = 15;

let shop: Merchant;

beforeAll(async () => {
  shop = await openMerchant(await sharedStoa());
  await shop.secret('PATCH', '/v1/store', { languages: ['de', 'pt-BR'] });
  const config = await shop.secret('PUT', '/v1/shipping/config', DELIVERY);
  expect(config.status, config.text).toBe(200);
});

const WORKSHOP = { en: 'The workshop', de: 'Die Werkstatt', 'pt-BR': 'A oficina' };
const EXPRESS = { en: 'By courier', de: 'Per Kurier', 'pt-BR': 'Por estafeta' };
const namesOf = (texts: typeof EXPRESS) => ({ de: { name: texts.de }, 'pt-BR': { name: texts['pt-BR'] } });
const PLACE = { latitude: 52.52, longitude: 13.4 };
const DELIVERY = {
  locations: [
    {
      name: WORKSHOP.en,
      ...PLACE,
      address: { line1: 'Torstrasse 1', city: 'Berlin', country: 'DE' },
      hours: 'Weekdays',
      pickup: true,
      translations: { ...namesOf(WORKSHOP), de: { name: WORKSHOP.de, hours: 'Werktags' } },
    },
  ],
  zones: [
    {
      name: 'Germany',
      kind: 'countries',
      countries: ['DE'],
      translations: { de: { name: 'Deutschland' } },
      rate: {
        fee: 5,
        estimate: '2 days',
        translations: { de: { estimate: '2 Tage' } },
        options: [
          {
            name: EXPRESS.en,
            fee: 9,
            estimate: 'today',
            translations: { ...namesOf(EXPRESS), de: { name: EXPRESS.de, estimate: 'heute' } },
          },
        ],
      },
    },
  ],
};

test('shows a pickup location to several readers at once, each in its language', async () => {
  const languages = ['en', 'de', 'pt-BR'] as const;
  const ask = (language: string, more: Readonly<Record<string, string>> = {}) =>
    shop.publishable('GET', '/v1/pickup-locations', undefined, { headers: { 'Accept-Language': language, ...more } });
  const held = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++)
    for (const [language, reply] of await Promise.all(
      languages.map(async (each) => [each, await ask(each)] as const),
    )) {
      expect([reply.status, reply.headers.get('content-language')]).toEqual([200, language]);
      expect(reply.headers.get('vary')).toContain('Accept-Language');
      expect(reply.body.locations.map(({ name }: { name: string }) => name)).toEqual([WORKSHOP[language]]);
      held.set(language, reply.headers.get('etag')!);
    }
  for (const asked of languages)
    for (const [language, etag] of held)
      expect((await ask(asked, { 'If-None-Match': etag })).status).toBe(asked === language ? 304 : 200);
  const bad = await shop.publishable('GET', '/v1/pickup-locations?language=klingon');
  expect([bad.status, bad.body.error.param]).toEqual([400, 'language']);
});

describe('a delivery', () => {
  const calculated = async (language: string) => {
    const body = { ...PLACE, country_code: 'DE' };
    const headers = { 'Accept-Language': language };
    const reply = await shop.publishable('POST', '/v1/shipping/calculate', body, { headers });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers.get('content-language')).toBe(language);
    return reply.body.options.map(({ name, estimate }: { name: string; estimate: string | null }) => [name, estimate]);
  };

  test('shows its texts in the language of the reader, and falls back text by text', async () => {
    for (let round = 0; round < ROUNDS; round++)
      expect(await Promise.all([calculated('en'), calculated('de'), calculated('pt-BR')])).toEqual([
        [
          ['Germany', '2 days'],
          [EXPRESS.en, 'today'],
          [WORKSHOP.en, null],
        ],
        [
          ['Deutschland', '2 Tage'],
          [EXPRESS.de, 'heute'],
          [WORKSHOP.de, null],
        ],
        [
          ['Germany', '2 days'],
          [EXPRESS['pt-BR'], 'today'],
          [WORKSHOP['pt-BR'], null],
        ],
      ]);
    const { body } = await shop.publishable('POST', '/v1/shipping/calculate', { ...PLACE, language: 'de-AT' });
    expect([body.options[1].name, body.options.at(-1).location.hours]).toEqual([EXPRESS.de, 'Werktags']);
    const bad = await shop.publishable('POST', '/v1/shipping/calculate', { ...PLACE, language: 'klingon' });
    expect([bad.status, bad.body.error.param]).toEqual([400, 'language']);
  });

  test('keeps its translations in the configuration, which is sent back as it was read', async () => {
    const { body } = await shop.secret('GET', '/v1/shipping/config');
    expect(body.zones[0].translations).toEqual(DELIVERY.zones[0]!.translations);
    const again = await shop.secret('PUT', '/v1/shipping/config', body);
    expect([again.status, again.body]).toEqual([200, { ...body, updated_at: expect.any(String) }]);
    await shop.secret('PATCH', '/v1/store', { languages: ['pt-BR'] });
    await eventually(async () =>
      expect((await shop.publishable('GET', '/v1/pickup-locations?language=de')).text).toContain(WORKSHOP.en),
    );
    const former = await shop.secret('PUT', '/v1/shipping/config', body);
    expect([former.status, former.body]).toEqual([200, { ...body, updated_at: expect.any(String) }]);
    await shop.secret('PATCH', '/v1/store', { languages: ['de', 'pt-BR'] });
    await eventually(async () =>
      expect((await shop.publishable('GET', '/v1/pickup-locations?language=de')).text).toContain(WORKSHOP.de),
    );
  });

  test.each([
    [
      'locations[0].translations.fr',
      { locations: [{ ...DELIVERY.locations[0], translations: { fr: { name: 'Ici' } } }] },
    ],
    ['zones[0].translations.en', { zones: [{ ...DELIVERY.zones[0], translations: { en: { name: 'Here' } } }] }],
    [
      'tiers[0].translations.fr',
      { tiers: [{ name: 'Near', from_meters: 0, rate: { fee: 1 }, translations: { fr: { name: 'Près' } } }] },
    ],
    ['fallback.rate.translations.fr', { fallback: { rate: { fee: 1, translations: { fr: { estimate: 'demain' } } } } }],
    [
      'fallback.rate.options[0].translations.fr',
      { fallback: { rate: { fee: 1, options: [{ name: 'Bike', fee: 1, translations: { fr: { name: 'Vélo' } } }] } } },
    ],
    [
      'fallback.rate.translations.de.estimate',
      { fallback: { rate: { fee: 1, translations: { de: { estimate: 5 } } } } },
    ],
  ])('refuses %s and stays as it was', async (param, config) => {
    const before = (await shop.secret('GET', '/v1/shipping/config')).text;
    const reply = await shop.secret('PUT', '/v1/shipping/config', config);
    expect([reply.status, reply.body.error.param]).toEqual([400, param]);
    expect((await shop.secret('GET', '/v1/shipping/config')).text).toBe(before);
  });
});
