// Creations raced: of many callers who create the same thing at once one gets it, the others hear that it is taken, and none
// meets a fault.
import { beforeAll, expect, test } from 'vitest';
import { openOperator } from '#test/support/marketplace.ts';
import { allowLocalVerifier, openShopperSessions } from '#test/support/session.ts';
import { type Keys, type Reply, type SendOptions, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const CALLERS = 64;

let stoa: Stoa;
let keys: Keys;
let product: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  product = (await create('/v1/products', { name: 'Mug' })).body.id;
});

/** Sends again where the store was too busy, which says nothing about the thing. */
const send = async (method: string, path: string, options: SendOptions): Promise<Reply> => {
  for (let tries = 1; ; tries++) {
    const reply = await stoa.send(method, path, options);
    if (reply.status !== 503 || tries === 10) return reply;
  }
};
const create = (path: string, body: object): Promise<Reply> => send('POST', path, { key: keys.secret_test_key, body });

const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

/** Statuses of many callers, each with how often it came. */
const raced = async (call: (at: number) => Promise<Reply>): Promise<Readonly<Record<number, number>>> => {
  const replies = await Promise.all(Array.from({ length: CALLERS }, (_, at) => call(at)));
  return Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );
};

const PROVIDER = {
  provider: 'card_checkout',
  credentials: { secret_key: 'sk_test_abcdefgh12345678', webhook_secret: 'whsec_abcdefgh12345678' },
};
const OWN_PROVIDER = {
  provider: 'corner_bank',
  custom_provider: true,
  initialize_url: 'https://pay.example.com/initialize',
  verify_url: 'https://pay.example.com/verify',
  signing_secret: 'a secret of both sides',
};

/** The unique field of each; null when equal objects may coexist, or get another slug. */
const CREATIONS: readonly [what: string, path: () => string, body: object, unique: string | null][] = [
  ['payment provider', () => '/v1/payments/providers', PROVIDER, 'provider'],
  ['provider of one’s own', () => '/v1/payments/providers', OWN_PROVIDER, 'provider'],
  ['product with a slug', () => '/v1/products', { name: 'Slug', product_slug: 'raced-slug' }, null],
  ['product with a SKU', () => '/v1/products', { name: 'Sku', sku: 'RACED-1' }, 'sku'],
  ['variant with a SKU', () => `/v1/products/${product}/variants`, { name: 'V', sku: 'RACED-2' }, 'sku'],
  ['category', () => '/v1/categories', { name: 'Raced', slug: 'raced' }, null],
  ['product collection', () => '/v1/product-collections', { name: 'Raced', slug: 'raced' }, 'slug'],
  ['blog post', () => '/v1/blog/posts', { title: 'Raced', slug: 'raced' }, 'slug'],
  ['lookbook', () => '/v1/lookbooks', { title: 'Raced', slug: 'raced' }, 'slug'],
  ['promotion', () => '/v1/promotions', { name: 'Raced', code: 'RACED', type: 'percentage', value: 10 }, 'code'],
  ['customer', () => '/v1/customers', { email: 'raced@example.com' }, 'email'],
  ['tax rate', () => '/v1/tax-rates', { name: 'Raced', country: 'KE', rate: 0.16 }, null],
  ['price list', () => '/v1/price-lists', { name: 'Raced' }, null],
  ['webhook endpoint', () => '/v1/webhook-endpoints', { url: 'https://hooks.example.com/raced', events: ['*'] }, null],
  [
    'channel',
    () => '/v1/channels',
    { provider: 'raced', name: 'Raced', url: 'https://raced.example.com', format: 'stoa' },
    null,
  ],
  ['gift card', () => '/v1/gift-cards', { amount: 5 }, null],
];

test.each(CREATIONS)('many callers create one %s at once', async (_what, path, body, unique) => {
  const replies = await Promise.all(Array.from({ length: CALLERS }, () => create(path(), body)));
  const statuses = Map.groupBy(replies, ({ status }) => status);
  const shown = [...statuses].map(([status, of]) => [
    status,
    of.length,
    status === 201 ? '' : of[0]!.text.slice(0, 300),
  ]);
  expect(
    [...statuses.keys()].filter((status) => ![201, 409].includes(status)),
    JSON.stringify(shown),
  ).toEqual([]);
  if (unique === null) expect(statuses.has(201), JSON.stringify(shown)).toBe(true);
  else expect(statuses.get(201), JSON.stringify(shown)).toHaveLength(1);
});

test('other credentials of a connected provider replace it', async () => {
  const replaced = { ...OWN_PROVIDER, provider: 'replaced_bank' };
  const changed = { ...replaced, signing_secret: 'another secret of both sides' };
  const statuses: number[] = [];
  for (const body of [replaced, replaced, changed])
    statuses.push((await create('/v1/payments/providers', body)).status);
  expect(statuses).toEqual([201, 409, 201]);
  const { providers } = (await stoa.send('GET', '/v1/payments/providers', { key: keys.secret_test_key })).body;
  expect(providers.filter(({ provider }: { provider: string }) => provider === 'replaced_bank')).toHaveLength(1);
});

test('many callers give one number to purchase orders at once', async () => {
  allowLocalVerifier();
  const doorkeeper = await openShopperSessions(stoa);
  try {
    const wholesale = await stoa.createStore({ wholesale: true, country: 'KE', plan: 'enterprise' });
    const buyer = await doorkeeper.signIn(wholesale, { header: 'x-idp-token' });
    const asStore = { key: wholesale.secret_test_key };
    const asBuyer = { key: wholesale.publishable_test_key, headers: buyer.headers };
    const { variant_id } = await made(
      send('POST', '/v1/products', { ...asStore, body: { name: 'Shoe', price: 10, stock: 1_000 } }),
    );
    const items = [{ variant_id, quantity: 1, unit_price: 7.5 }];
    const accepted = async (): Promise<string> => {
      const { data } = await made(
        send('POST', '/v1/b2b/quotes', { ...asStore, body: { customer_id: buyer.id, items } }),
      );
      await made(send('POST', `/v1/b2b/quotes/${data.id}/accept`, asBuyer));
      return data.id;
    };
    const quotes = await Promise.all(Array.from({ length: CALLERS }, accepted));
    const shipping_address = { line1: '1 High Street', city: 'Nairobi', country: 'KE' };
    const issue = (quote_id: string, po_number: string) =>
      send('POST', '/v1/b2b/purchase-orders', { ...asBuyer, body: { quote_id, po_number, shipping_address } });
    expect(await raced((at) => issue(quotes[at]!, 'RACED'))).toEqual({ 201: 1, 409: CALLERS - 1 });
    const { data } = await made(send('GET', '/v1/b2b/purchase-orders', asStore));
    expect(data).toHaveLength(1);
    const unused = quotes.find((quote) => quote !== data[0].quote_id)!;
    expect(await raced((at) => issue(unused, `RACED-${at}`))).toEqual({ 201: 1, 409: CALLERS - 1 });
  } finally {
    doorkeeper.stop();
  }
});

test('many stores take one domain at once', async () => {
  const stores = await Promise.all(Array.from({ length: 8 }, () => stoa.createStore()));
  const domain = `raced-${keys.store_id}.example`;
  const others = (at: number) => [`a${at}.${domain}`, domain, `b${at}.${domain}`];
  const replies = await Promise.all(
    Array.from({ length: CALLERS }, async (_, at) => {
      const of = at % stores.length;
      const domains = at % 2 ? others(of) : others(of).reverse();
      return { of, ...(await send('PATCH', '/v1/store', { key: stores[of]!.secret_key, body: { domains } })) };
    }),
  );
  expect(replies.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([]);
  const owners = new Set(replies.filter(({ status }) => status === 200).map(({ of }) => of));
  expect(owners.size).toBe(1);
});

test('many callers write one section of a marketplace at once', async () => {
  const { operator_key: key } = await openOperator(stoa, [keys.store_id]);
  const path = '/v1/marketplace/collections/raced';
  const written = (at: number) => ({ name: `Raced ${at}`, placement_kind: 'product', items: [] });
  expect(await raced((at) => send('PUT', path, { key, body: written(at) }))).toEqual({ 200: CALLERS });
  const { collections } = await made(send('GET', '/v1/marketplace/collections', { key }));
  expect(collections).toEqual([expect.objectContaining({ slug: 'raced', name: expect.stringMatching(/^Raced \d+$/) })]);
});

test.each([
  ['a built-in one', PROVIDER],
  ['one of its own', OWN_PROVIDER],
])('many callers connect one provider to an operator at once: %s', async (_name, body) => {
  const { operator_test_key: key } = await openOperator(stoa, [keys.store_id]);
  const path = '/v1/marketplace/payment-providers';
  expect(await raced(() => send('POST', path, { key, body }))).toEqual({ 201: 1, 409: CALLERS - 1 });
  expect((await made(send('GET', path, { key }))).providers).toHaveLength(1);
});
