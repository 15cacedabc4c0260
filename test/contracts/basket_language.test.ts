// Carts and price queries name items and promotions in the reader's language; events and orders in the store's.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const ROUNDS = 15;
const EN = { item: 'Mug of clay', promotions: ['Spring sale', 'Welcome'] };
const DE = { item: 'Becher aus Ton', promotions: ['Frühlingsrabatt', 'Welcome'] };

let stoa: Stoa;
let shop: Merchant;
let variant: string;

beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa);
  await shop.secret('PATCH', '/v1/store', { languages: ['de'], currencies: [{ currency: 'EUR', prices: 'rate' }] });
  await shop.secret('PUT', '/v1/exchange-rates/EUR', { rate: 0.5 });
  const product = await shop.createProduct({
    name: EN.item,
    price: 10,
    stock: 1_000,
    shipping_info: { requires_shipping: false },
    translations: { de: { name: DE.item } },
  });
  variant = product.variant_id!;
  const tenth = { type: 'percentage', value: 10, stackable: true };
  const names = { translations: { de: { name: DE.promotions[0] } } };
  for (const body of [
    { ...tenth, name: EN.promotions[0], ...names },
    { ...tenth, name: EN.promotions[1], code: 'HELLO' },
  ]) {
    const { status, text } = await shop.secret('POST', '/v1/promotions', body);
    expect(status, text).toBe(201);
  }
});

/** A shopper who reads one language and has a cart of their own. */
const shopper = (session: string, language: string) => {
  const headers = { 'X-Session-Id': session, 'Accept-Language': language };
  return (verb: string, path: string, body?: object): Promise<Reply> => shop.publishable(verb, path, body, { headers });
};

const namesIn = ({ body }: Reply) => ({
  item: body.cart.items[0]?.name,
  promotions: body.cart.applied_promotions.map(({ title }: { title: string }) => title).sort(),
});

const filled = async (session: string): Promise<string> => {
  const send = shopper(session, 'en');
  await send('POST', '/v1/cart/items', { variant_id: variant, quantity: 2 });
  await send('POST', '/v1/cart/promotions', { code: 'SECOND' });
  const { body } = await send('POST', '/v1/cart/promotions', { code: 'HELLO' });
  await eventually(async () => expect(namesIn(await send('GET', '/v1/cart'))).toEqual(EN));
  return body.cart.items[0].id;
};

describe('a cart', () => {
  test('answers readers of two languages at once, each in its own', async () => {
    const session = `both-${crypto.randomUUID()}`;
    await filled(session);
    const readers = [
      ['en', EN],
      ['de-AT', DE],
    ] as const;
    for (let round = 0; round < ROUNDS; round++) {
      const replies = await Promise.all(readers.map(([language]) => shopper(session, language)('GET', '/v1/cart')));
      for (const [at, [language, names]] of readers.entries()) {
        expect(namesIn(replies[at]!)).toEqual(names);
        expect(replies[at]!.headers.get('content-language')).toBe(language.slice(0, 2));
        expect(replies[at]!.headers.get('vary')).toContain('Accept-Language');
      }
    }
    const named = await shopper(session, 'en')('GET', '/v1/cart?language=de');
    expect(namesIn(named)).toEqual(DE);
    const bad = await shopper(session, 'en')('GET', '/v1/cart?language=klingon');
    expect([bad.status, bad.body.error.param]).toEqual([400, 'language']);
  });

  test.each<[string, string, (item: string) => string, () => object | undefined]>([
    ['an added item', 'POST', () => '/v1/cart/items', () => ({ variant_id: variant })],
    ['a changed quantity', 'PATCH', (item) => `/v1/cart/items/${item}`, () => ({ quantity: 5 })],
    ['an added code', 'POST', () => '/v1/cart/promotions', () => ({ code: 'hello' })],
    ['a removed code', 'DELETE', () => '/v1/cart/promotions/SECOND', () => undefined],
    ['a changed currency', 'PATCH', () => '/v1/cart', () => ({ currency: 'EUR' })],
  ])('is answered in the language after %s, and stored in the default one', async (_name, verb, path, body) => {
    const session = `write-${crypto.randomUUID()}`;
    const item = await filled(session);
    const reply = await shopper(session, 'de')(verb, path(item), body());
    expect(reply.status, reply.text).toBe(200);
    expect(namesIn(reply)).toEqual(DE);
    expect(reply.headers.get('content-language')).toBe('de');
    expect(namesIn(await shopper(session, 'en')('GET', '/v1/cart'))).toEqual(EN);
  });

  test('writes events in the default language', async () => {
    const session = `event-${crypto.randomUUID()}`;
    await filled(session);
    const { body } = await shopper(session, 'de')('POST', '/v1/cart/items?language=de', { variant_id: variant });
    await eventually(async () => {
      const { body: found } = await shop.secret('GET', '/v1/webhook-events?type=cart.updated&limit=100');
      const events: { data: { object: { id: string; items: { name: string }[] } } }[] = found.webhook_events;
      const own = events.filter(({ data }) => data.object.id === body.cart.id);
      expect(own.length).toBeGreaterThan(0);
      for (const { data } of own) expect(data.object.items[0]!.name).toBe(EN.item);
    });
  });
});

test('names promotions of a price query in the language of the reader or of the query', async () => {
  const ask = async (language: string, more: object = {}, path = '/v1/pricing/query') => {
    const body = { items: [{ variant_id: variant, quantity: 1 }], promotion_codes: ['HELLO'], ...more };
    const reply = await shop.publishable('POST', path, body, { headers: { 'Accept-Language': language } });
    return {
      language: reply.headers.get('content-language'),
      titles: reply.body.applied_promotions?.map(({ title }: { title: string }) => title).sort(),
      param: reply.body.error?.param,
    };
  };
  const german = { language: 'de', titles: DE.promotions };
  for (let round = 0; round < ROUNDS; round++)
    expect(await Promise.all([ask('de'), ask('en')])).toEqual([german, { language: 'en', titles: EN.promotions }]);
  expect(await ask('en', { language: 'de' })).toEqual(german);
  expect(await ask('en', {}, '/v1/pricing/query?language=de')).toEqual(german);
  expect((await ask('en', { language: '*' })).param).toBe('language');
});

test('names items and promotions of an order in the default language', async () => {
  const body = { items: [{ variant_id: variant, quantity: 1 }], email: 'buyer@shop.test', promotion_codes: ['HELLO'] };
  const { hmac_secret: signWith } = shop.keys;
  const reply = await shop.secret('POST', '/v1/orders', { ...body, language: 'de' }, { signWith });
  expect(reply.status, reply.text).toBe(201);
  const { items, applied_promotions: promotions } = reply.body.order;
  expect(items.map(({ name }: { name: string }) => name)).toEqual([EN.item]);
  expect(promotions.map(({ title }: { title: string }) => title).sort()).toEqual(EN.promotions);
});
