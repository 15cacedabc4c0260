// Delivery options of a checkout intent in the buyer's language, and the name that its order keeps.
import { beforeAll, expect, test } from 'vitest';
import { EMAIL, items, openShop } from '#test/services/agent/shop.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const ADDRESS = { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE' };
const SHIPPED = { shipping_info: { requires_shipping: true, weight: 1, weight_unit: 'kg' } };

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('names an intent’s delivery options in its language, and the order’s in the default one', async () => {
  const shop = await openShop(stoa, SHIPPED);
  const { secret_key } = shop;
  const profile = await stoa.send('PATCH', '/v1/store', { key: secret_key, body: { languages: ['de'] } });
  expect(profile.status, profile.text).toBe(200);
  const bicycle = {
    name: 'By bicycle',
    fee: 9,
    minimum_order: 0,
    free_threshold: null,
    estimate: 'today',
    translations: { de: { name: 'Mit dem Fahrrad', estimate: 'heute' } },
  };
  const rate = { fee: 5, estimate: '2 days', translations: { de: { estimate: '2 Tage' } }, options: [bicycle] };
  const set = await shop.write('PUT', '/v1/shipping/config', { fallback: { rate } });
  expect(set.status, set.text).toBe(200);

  const request = { items: items(shop), email: EMAIL, shipping_address: ADDRESS, language: 'de-AT' };
  const { data: intent } = (await shop.ask('POST', '/v1/agent/checkout-intents', request)).body;
  const shown = (options: readonly { name: string; estimate: string }[]) =>
    options.map(({ name, estimate }) => [name, estimate]);
  const german = shown(intent.shipping_options);
  expect(german.map(([, estimate]) => estimate)).toEqual(['2 Tage', 'heute']);
  expect(german[1]).toEqual(['Mit dem Fahrrad', 'heute']);

  const path = `/v1/agent/checkout-intents/${intent.id}`;
  const choice = { shipping_option_id: intent.shipping_options[1].id };
  const chosen = (await shop.ask('PATCH', path, choice)).body.data;
  expect(shown(chosen.shipping_options)).toEqual(german);
  const english = (await shop.ask('PATCH', path, { ...choice, language: 'en' })).body.data;
  expect(shown(english.shipping_options)[1]).toEqual(['By bicycle', 'today']);
  await shop.ask('PATCH', path, { ...choice, language: 'de' });
  const placed = await shop.order({ checkout_intent_id: intent.id });
  expect([placed.status, placed.body.order?.shipping_option_name], placed.text).toEqual([201, 'By bicycle']);
});
