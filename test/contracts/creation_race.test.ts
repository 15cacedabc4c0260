// Creations raced: of many callers who create the same thing at once one gets it, the others hear that it is taken, and none
// meets a fault.
import { beforeAll, expect, test } from 'vitest';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const CALLERS = 64;

let stoa: Stoa;
let keys: Keys;
let product: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  product = (await create('/v1/products', { name: 'Mug' })).body.id;
});

/** Sent again where the store was too busy, which says nothing about the thing. */
const create = async (path: string, body: object): Promise<Reply> => {
  for (let tries = 1; ; tries++) {
    const reply = await stoa.send('POST', path, { key: keys.secret_test_key, body });
    if (reply.status !== 503 || tries === 10) return reply;
  }
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

/** What is unique in each; null where equal things may stand beside each other, or get another slug. */
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
