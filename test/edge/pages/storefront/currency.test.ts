// The shop's pages and orders in several currencies over HTTP: each visitor sees the chosen one, and no page mixes them.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ShopHandler } from '#edge/pages/storefront/setting.ts';
import type { ShoppingCart } from '#proto/gen/cart.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { createShop } from './render/shop.ts';

const ORIGIN = 'https://shop.example';
const FILES = { script: '/main.js', style: '/style.css' };
const AT_ONCE = 8;
const ROUNDS = 5;
/** Prices of one bowl as the page writes them. */
const PRICES = { USD: '$1,234.50', EUR: '€1,111.05', GBP: '£987.60' } as const;
const CURRENCIES = ['USD', 'EUR', 'GBP'] as const;

let stoa: Stoa;
let merchant: Merchant;
let shop: ShopHandler;
let slug: string;
let variant: string;

const optionsOf = ({ keys }: Merchant, server?: string) => ({
  setting: { key: keys.publishable_key, code: keys.code, ...(server && { server }) },
  secrets: { key: keys.secret_key, hmacSecret: keys.hmac_secret },
  apiUrl: stoa.url,
  base: '/shop',
  files: FILES,
  origin: ORIGIN,
});

const write = async (method: string, path: string, body: object) => {
  const reply = await merchant.secret(method, path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  shop(new Request(`http://127.0.0.1/shop${path}`, init), '');

const cookieOf = (currency: string): string => `stoa-shop-currency=${currency}`;

const pageIn = async (path: string, currency: string | null): Promise<string> =>
  (await ask(path, { headers: currency === null ? {} : { cookie: cookieOf(currency) } })).text();

const pricesIn = (text: string): readonly string[] =>
  CURRENCIES.filter((currency) => text.includes(PRICES[currency]) || text.includes(`"priceCurrency":"${currency}"`));

beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  await write('PATCH', '/v1/store', {
    currencies: [
      { currency: 'EUR', prices: 'rate' },
      { currency: 'GBP', prices: 'rate' },
      { currency: 'JPY', prices: 'fixed' },
      { currency: 'CHF', prices: 'rate' },
    ],
  });
  for (const [code, rate] of [
    ['EUR', 0.9],
    ['GBP', 0.8],
    ['JPY', 150],
  ] as const)
    await write('PUT', `/v1/exchange-rates/${code}`, { rate, max_age_hours: 1 });
  const product = await merchant.createProduct({ name: 'Clay bowl', price: 1234.5, stock: 50 });
  slug = product.product_slug!;
  variant = product.variant_id!;
  await write('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 10 } } });
  shop = await createShop(optionsOf(merchant, '/shop/server'));
});

describe('pages', () => {
  test('show visitors of three currencies at once their own, and never another', async () => {
    const paths = [`/products/${slug}`, '/products', '/search?q=bowl', '/'];
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(
        paths.flatMap((path) =>
          CURRENCIES.map(async (currency) => {
            const response = await ask(path, { headers: { cookie: cookieOf(currency) } });
            expect([path, currency, response.status]).toEqual([path, currency, 200]);
            expect([path, pricesIn(await response.text())]).toEqual([path, [currency]]);
            const shared = currency === 'USD';
            expect(response.headers.get('cache-control')).toContain(shared ? 'public' : 'private, no-store');
            expect(response.headers.has('etag')).toBe(shared);
          }),
        ),
      );
  });

  test('confirm the page of the store’s currency to its readers alone', async () => {
    const path = `/products/${slug}`;
    const etag = (await ask(path)).headers.get('etag')!;
    const again = (cookie: string) => ask(path, { headers: { 'if-none-match': etag, cookie } });
    expect((await again('')).status).toBe(304);
    expect((await again(cookieOf('USD'))).status).toBe(304);
    const euro = await again(cookieOf('EUR'));
    expect([euro.status, pricesIn(await euro.text())]).toEqual([200, ['EUR']]);
  });

  test('offer search engines the store’s currency at the one address of a page', async () => {
    const text = await pageIn(`/products/${slug}`, null);
    expect(text).toContain('"price":1234.5,"priceCurrency":"USD"');
    expect(await pageIn(`/products/${slug}`, 'EUR')).toContain(
      `<link rel="canonical" href="${ORIGIN}/shop/products/${slug}">`,
    );
  });

  test.each(['ZZZ', 'usd', 'KES', '€', 'EUR%0d'])('show the store’s currency to a cookie of %s', async (value) => {
    const response = await ask(`/products/${slug}`, { headers: { cookie: cookieOf(encodeURIComponent(value)) } });
    expect(response.headers.get('cache-control')).toContain('public');
    expect(pricesIn(await response.text())).toEqual(['USD']);
  });

  test('say that a product has no price in a currency of fixed prices, and offer no sort by it', async () => {
    const text = await pageIn(`/products/${slug}`, 'JPY');
    expect(text).toContain('This product has no price in JPY – Japanese Yen.');
    expect(text).toMatch(/<button type="submit" class="go" disabled/);
    const listing = await pageIn('/products?sort=price_asc&from=1', 'JPY');
    expect(listing).toContain('Clay bowl');
    for (const part of ['value="price_asc"', 'id="price-from"']) expect(listing).not.toContain(part);
    const euro = await pageIn('/products?from=1', 'EUR');
    for (const part of ['value="price_asc"', 'id="price-from"']) expect(euro).toContain(part);
  });

  test.each(['/products', '/search?q=bowl', '/'])(
    'show the store’s currency at %s without an exchange rate',
    async (path) => {
      expect(pricesIn(await pageIn(path, 'CHF'))).toEqual(['USD']);
      expect(pricesIn(await pageIn(`/products/${slug}`, 'CHF'))).toEqual(['USD']);
    },
  );

  test('offer every currency in a shop without a server, whose checkouts the store’s page takes', async () => {
    const plain = await createShop(optionsOf(merchant));
    const request = new Request(`http://127.0.0.1/shop/products/${slug}`, { headers: { cookie: cookieOf('EUR') } });
    const text = await (await plain(request, '')).text();
    expect([pricesIn(text), text.includes('action="/shop/currency"')]).toEqual([['EUR'], true]);
  });
});

describe('the form of the currency', () => {
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}, path = '/currency') =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields), headers });

  test('stores the choice in a cookie and returns to the page', async () => {
    const page = `/products/${slug}?variant=${variant}`;
    const response = await post({ currency: 'EUR', page });
    expect([response.status, response.headers.get('location')]).toEqual([303, `/shop${page}`]);
    expect(response.headers.get('set-cookie')).toMatch(
      /^stoa-shop-currency=EUR; Path=\/shop; Max-Age=\d+; SameSite=Lax; Secure$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', '/a b', '/a\nb'])(
    'returns to the first page where the form names %j',
    async (page) => {
      expect((await post({ currency: 'EUR', page })).headers.get('location')).toBe('/shop');
    },
  );

  test('refuses other currencies, other bodies and other sites’ forms', async () => {
    for (const currency of ['KES', 'eur', '']) {
      const response = await post({ currency });
      expect([response.status, response.headers.has('set-cookie')]).toEqual([400, false]);
      expect(await response.text()).toContain('does not sell in this currency');
    }
    expect((await ask('/currency', { method: 'POST', body: '{}' })).status).toBe(400);
    for (const site of ['cross-site', 'same-site'])
      expect((await post({ currency: 'EUR' }, { 'sec-fetch-site': site })).status).toBe(403);
    expect((await ask('/currency')).status).toBe(404);
  });
});

describe('the cart', () => {
  const filledCart = async (): Promise<string> => {
    const body = new URLSearchParams({ variant_id: variant, quantity: '1' });
    const response = await ask('/cart', { method: 'POST', body });
    return response.headers.get('set-cookie')!.split(';')[0]!;
  };
  const sessionOf = (cookie: string): string => cookie.split('=')[1]!;
  const cartAt = async (cookie: string): Promise<ShoppingCart> => {
    const headers = { 'x-session-id': sessionOf(cookie) };
    const reply = await stoa.send('GET', '/v1/cart', { key: merchant.keys.publishable_key, headers });
    expect(reply.status, reply.text).toBe(200);
    return reply.body.cart;
  };

  test('stays in its currency while the chosen one has no exchange rate', async () => {
    const cookie = await filledCart();
    const response = await ask('/cart', { headers: { cookie: `${cookie}; ${cookieOf('CHF')}` } });
    expect(pricesIn(await response.text())).toEqual(['USD']);
    expect((await cartAt(cookie)).currency).toBe('USD');
  });

  test('changes to the chosen currency and back, for a browser without script too', async () => {
    const cookie = await filledCart();
    for (const currency of ['EUR', 'GBP', 'USD'] as const) {
      const response = await ask('/cart', { headers: { cookie: `${cookie}; ${cookieOf(currency)}` } });
      expect(pricesIn(await response.text())).toEqual([currency]);
      expect((await cartAt(cookie)).currency).toBe(currency);
    }
  });
});

describe('the checkout', () => {
  test('costs the total that it showed in the chosen currency, once for many calls at a time', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const began = await stoa.send('POST', '/v1/agent/checkout-intents', {
      key: merchant.keys.publishable_key,
      body: {
        items: [{ variant_id: variant, quantity: 1 }],
        currency: 'EUR',
        email,
        shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
        shipping_option_id: 'place',
      },
    });
    expect(began.status, began.text).toBe(201);
    expect(began.body.data).toMatchObject({ currency: 'EUR', shipping_total: 9, grand_total: 1120.05 });
    const pay = (total: string): Promise<Response> => {
      const body = JSON.stringify({ intent: began.body.data.id, provider: 'card_checkout', page: ORIGIN, total });
      return ask('/server/pay', { method: 'POST', body });
    };
    const refused = await pay('1120.04');
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'amount_mismatch' } }]);
    await Promise.all(Array.from({ length: AT_ONCE }, () => pay('1120.05')));
    const { orders } = (await stoa.send('GET', '/v1/orders?limit=100', { key: merchant.keys.secret_key })).body;
    expect(orders.filter((order: StoreOrder) => order.email === email)).toMatchObject([
      { currency: 'EUR', subtotal: 1111.05, shipping_total: 9, total_amount: 1120.05 },
    ]);
  });
});
