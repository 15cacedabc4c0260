// How long texts may be: what a merchant writes is kept whole up to its bound, and refused by its field's path beyond it.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const NAME = 300;
const NUMBER = 100;
const CODE = 50;
const DESCRIPTION = 50_000;

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const send = (method: string, path: string, body?: unknown, signed = false) =>
  stoa.send(method, path, {
    key: keys.secret_key,
    ...(body === undefined ? {} : { body }),
    ...(signed ? { signWith: keys.hmac_secret } : {}),
  });
/** No two alike: some are to be one of their kind. */
const text = (length: number): string => randomUUID().replaceAll('-', '').padEnd(length, 'x').slice(0, length);
const variant = (sku: string) => ({ sku, price: 1, attributes: { size: sku.slice(0, 20) } });

test.each<[path: string, field: string, bound: number, body: (text: string) => object]>([
  ['/v1/products', 'name', NAME, (name) => ({ name, price: 1 })],
  ['/v1/products', 'description', DESCRIPTION, (description) => ({ name: 'Cup', price: 1, description })],
  ['/v1/products', 'sku', NUMBER, (sku) => ({ name: 'Cup', price: 1, sku })],
  ['/v1/products', 'mpn', NUMBER, (mpn) => ({ name: 'Cup', price: 1, mpn })],
  ['/v1/products', 'gtin', NUMBER, (gtin) => ({ name: 'Cup', price: 1, gtin })],
  ['/v1/products', 'variants[0].sku', NUMBER, (sku) => ({ name: 'Cup', variants: [variant(sku)] })],
  ['/v1/products', 'variants[0].mpn', NUMBER, (mpn) => ({ name: 'Cup', variants: [{ ...variant(text(9)), mpn }] })],
  ['/v1/products', 'variants[0].gtin', NUMBER, (gtin) => ({ name: 'Cup', variants: [{ ...variant(text(9)), gtin }] })],
  ['/v1/categories', 'name', NAME, (name) => ({ name })],
  ['/v1/categories', 'description', DESCRIPTION, (description) => ({ name: 'Cups', description })],
  ['/v1/product-collections', 'name', NAME, (name) => ({ name })],
  ['/v1/product-collections', 'description', DESCRIPTION, (description) => ({ name: 'Cups', description })],
  ['/v1/promotions', 'name', NAME, (name) => ({ name, type: 'percentage', value: 10 })],
  ['/v1/promotions', 'code', CODE, (code) => ({ name: 'Spring', type: 'percentage', value: 10, code })],
  ['/v1/price-lists', 'name', NAME, (name) => ({ name, currency: 'USD', prices: [] })],
  ['/v1/tax-rates', 'name', NAME, (name) => ({ name, country: 'KE', rate: 0.16 })],
])('POST %s takes a %s of %d characters, and not one more', async (path, field, bound, body) => {
  const taken = await send('POST', path, body(text(bound)));
  expect(taken.status, taken.text.slice(0, 300)).toBe(201);
  const refused = await send('POST', path, body(text(bound + 1)));
  expect([refused.status, refused.body.error?.param]).toEqual([400, field]);
});

const RATE = { rate: { fee: 1 } };
test.each<[method: string, path: string, field: string, body: (blank: string) => object]>([
  ['POST', '/v1/products', 'name', (name) => ({ name, price: 1 })],
  ['POST', '/v1/products', 'specifications[0].name', (name) => ({ name: 'Cup', specifications: [{ name, value: 1 }] })],
  ['POST', '/v1/categories', 'name', (name) => ({ name })],
  ['POST', '/v1/product-collections', 'name', (name) => ({ name })],
  ['POST', '/v1/promotions', 'name', (name) => ({ name, type: 'percentage', value: 10 })],
  ['POST', '/v1/price-lists', 'name', (name) => ({ name })],
  ['POST', '/v1/tax-rates', 'name', (name) => ({ name, country: 'KE', rate: 0.16 })],
  ['POST', '/v1/ingestion/feeds', 'name', (name) => ({ name, url: 'https://feed.example.com/', format: 'csv' })],
  ['POST', '/v1/shipping/providers', 'name', (name) => ({ kind: 'custom', name, url: 'https://rates.example.com/' })],
  ['PUT', '/v1/shipping/config', 'tiers[0].name', (name) => ({ tiers: [{ name, from_meters: 0, ...RATE }] })],
  ['PUT', '/v1/store/policies/terms', 'title', (title) => ({ title, body: 'Be kind.' })],
  ['PUT', '/v1/store/policies/terms', 'body', (body) => ({ title: 'Terms', body })],
  ['PATCH', '/v1/store', 'name', (name) => ({ name })],
])('%s %s refuses a %s of blanks as an empty one', async (method, path, field, body) => {
  for (const blank of ['', '   ', '\t\n', '\u00a0\u3000']) {
    const refused = await send(method, path, body(blank));
    expect([refused.status, refused.body.error?.code, refused.body.error?.param], JSON.stringify(blank)).toEqual([
      400,
      'invalid_request',
      field,
    ]);
  }
});

const ADDRESS = { line1: '1 Road', city: 'Nairobi', country: 'KE' };
const ITEMS = [{ variant_id: randomUUID(), quantity: 1 }];
const someone = () => ({ email: `${text(20)}@example.com` });
const account = () => ({ ...someone(), password: text(20) });

// A line break in a name or a number forges lines where it is printed or mailed.
test.each<[path: string, field: string, body: (text: string) => object]>([
  ['/v1/customers', 'first_name', (first_name) => ({ ...someone(), first_name })],
  ['/v1/customers', 'phone', (phone) => ({ ...someone(), phone })],
  ['/v1/customers', 'addresses[0].city', (city) => ({ ...someone(), addresses: [{ ...ADDRESS, city }] })],
  ['/v1/auth/register', 'phone', (phone) => ({ ...account(), phone })],
  ['/v1/agent/checkout-intents', 'buyer.phone', (phone) => ({ items: ITEMS, buyer: { phone } })],
  ['/v1/agent/cart-drafts', 'buyer.first_name', (first_name) => ({ items: ITEMS, buyer: { first_name } })],
  [
    '/v1/agent/quotes',
    'shipping_address.line2',
    (line2) => ({ items: ITEMS, shipping_address: { ...ADDRESS, line2 } }),
  ],
  ['/v1/orders', 'shipping_address.phone', (phone) => ({ items: ITEMS, shipping_address: { ...ADDRESS, phone } })],
  ['/v1/orders', 'billing_address.company', (company) => ({ items: ITEMS, billing_address: { ...ADDRESS, company } })],
])('POST %s takes %s on one line', async (path, field, body) => {
  for (const sign of ['\n', '\r', '\t', '\u0007', '\u0000', '\u001b', '\u007f', '\u0085', '\u2028']) {
    const refused = await send('POST', path, body(`+254${sign}700`), path === '/v1/orders');
    expect([refused.status, refused.body.error?.param], `${JSON.stringify(sign)} ${refused.text}`).toEqual([
      400,
      field,
    ]);
  }
});

// No valid code is longer: a longer one is refused without a lookup.
test.each<[method: string, path: string, field: string, body?: (code: string) => object]>([
  ['POST', '/v1/orders', 'promotion_codes[0]', (code) => ({ items: ITEMS, ...someone(), promotion_codes: [code] })],
  ['POST', '/v1/orders', 'gift_card_codes[0]', (code) => ({ items: ITEMS, ...someone(), gift_card_codes: [code] })],
  ['POST', '/v1/agent/quotes', 'promotion_codes[0]', (code) => ({ items: ITEMS, promotion_codes: [code] })],
  ['POST', '/v1/pricing/query', 'promotion_codes[0]', (code) => ({ items: ITEMS, promotion_codes: [code] })],
  ['GET', '/v1/gift-cards?code=', 'code'],
])('%s %s takes %s of 50 characters, and not one more', async (method, path, field, body) => {
  const ask = (code: string) =>
    body ? send(method, path, body(code), path === '/v1/orders') : send(method, `${path}${code}`);
  // Other fields are unknown, too: nothing that they name exists.
  expect((await ask(text(CODE))).body.error?.code).toBe('not_found');
  const refused = await ask(text(CODE + 1));
  expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([400, 'invalid_request', field]);
});

test('PATCH has the same bounds, and cuts nothing', async () => {
  const { body: product } = await send('POST', '/v1/products', { name: 'Cup', price: 1 });
  const [name, description] = [text(NAME), text(DESCRIPTION)];
  const changed = await send('PATCH', `/v1/products/${product.id}`, { name, description });
  expect([changed.body.name, changed.body.description]).toEqual([name, description]);
  const refused = await send('PATCH', `/v1/products/${product.id}`, { name: text(NAME + 1) });
  expect([refused.status, refused.body.error.param]).toEqual([400, 'name']);
  const store = await send('PATCH', '/v1/store', { name, description });
  expect([store.status, store.body.store?.description], store.text.slice(0, 300)).toEqual([200, description]);
});

test('a row of a pushed catalogue that is longer, or has a blank name, fails alone, and nothing of it is kept', async () => {
  const products = [
    {
      ...{ external_id: 'whole', name: text(NAME), price: 1, description: text(DESCRIPTION) },
      category: `${text(NAME)} > ${text(NAME)}`,
    },
    { external_id: 'name', name: text(NAME + 1), price: 1 },
    { external_id: 'description', name: 'Cup', price: 1, description: text(DESCRIPTION + 1) },
    { external_id: 'sku', name: 'Cup', price: 1, sku: text(NUMBER + 1) },
    { external_id: 'category', name: 'Cup', price: 1, category: text(NAME + 1) },
    { external_id: 'blank', name: '  ', price: 1 },
  ];
  const { body } = await send('POST', '/v1/ingestion/push', { products }, true);
  const job = await eventually(async () => {
    const found = (await send('GET', `/v1/ingestion/jobs/${body.job.id}`)).body.job;
    expect(found.status).toBe('completed');
    return found;
  });
  expect(job).toMatchObject({ rows_created: 1, rows_failed: 5 });
  expect(job.errors.map(({ row, param }: { row: number; param: string }) => [row, param])).toEqual([
    [1, 'name'],
    [2, 'description'],
    [3, 'sku'],
    [4, 'category'],
    [5, 'name'],
  ]);
});
