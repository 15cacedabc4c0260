// The cart's forms over HTTP, as a browser sends them while no script runs.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopHandler } from '#edge/pages/storefront/setting.ts';
import type { ShoppingCart } from '#proto/gen/cart.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { createShop } from './shop.ts';

const FILES = { script: '/main.js', style: '/style.css' };

let stoa: Stoa;
let merchant: Merchant;
let shop: ShopHandler;
let variant: string;
let session: string;

beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  variant = (await merchant.createProduct({ name: 'Clay bowl', price: 12, stock: 9 })).variant_id!;
  shop = await createShop({
    setting: { key: merchant.keys.publishable_key, code: merchant.keys.code },
    apiUrl: stoa.url,
    base: '/shop',
    files: FILES,
    origin: 'http://shop.example',
  });
});

const ask = (init: RequestInit = {}): Promise<Response> => {
  const headers = { ...init.headers, cookie: `stoa-shop-session=${session}` };
  return shop(new Request('http://127.0.0.1/shop/cart', { ...init, headers }), '');
};

const post = (fields: string, headers: Record<string, string> = {}): Promise<Response> =>
  ask({ method: 'POST', body: new URLSearchParams(fields), headers });

const cart = async (): Promise<ShoppingCart> =>
  (await stoa.send('GET', '/v1/cart', { key: merchant.keys.publishable_key, headers: { 'x-session-id': session } }))
    .body.cart;

let item: string;
beforeEach(async () => {
  session = crypto.randomUUID();
  expect((await post(`variant_id=${variant}&quantity=2`)).status).toBe(303);
  item = (await cart()).items[0]!.id;
});

describe('the form of a line', () => {
  test('stands in the page with buttons for one fewer, one more and none', async () => {
    const text = await (await ask()).text();
    expect(text).toContain(`<form id="line-${item}" hidden method="post" action="/shop/cart">`);
    expect(text).toContain(`<input type="hidden" name="item_id" value="${item}"/>`);
    for (const step of [0, 1, 3])
      expect(text).toMatch(
        new RegExp(`<button[^>]*type="submit"[^>]*form="line-${item}"[^>]*name="step"[^>]*value="${step}"`),
      );
  });

  test.each([
    ['a quantity that is typed', 'quantity=4', 4],
    ['a button before the field', 'step=3&quantity=2', 3],
    ['a button behind the field', 'quantity=2&step=1', 1],
  ])('takes %s', async (_, fields, quantity) => {
    const response = await post(`item_id=${item}&${fields}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/shop/cart']);
    expect((await cart()).items).toMatchObject([{ id: item, quantity }]);
  });

  test('removes the line once, however often it is pressed', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => post(`item_id=${item}&quantity=2&step=0`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(303));
    expect((await cart()).items).toEqual([]);
  });

  test.each([
    ['quantity=-1', {}, 400],
    ['quantity=many', {}, 400],
    ['quantity=1000', {}, 400],
    ['step=NaN&quantity=1', {}, 400],
    ['quantity=500', {}, 409],
    ['quantity=1', { 'sec-fetch-site': 'cross-site' }, 403],
    ['quantity=1', { 'sec-fetch-site': 'same-site' }, 403],
  ])('refuses %s with %o, and changes nothing', async (fields, headers, status) => {
    const response = await post(`item_id=${item}&${fields}`, headers as Record<string, string>);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([status, null]);
    expect(await response.text()).toContain('role="alert"');
    expect((await cart()).items).toMatchObject([{ id: item, quantity: 2 }]);
  });

  test('changes no line of another session', async () => {
    const own = session;
    session = crypto.randomUUID();
    expect((await post(`item_id=${item}&quantity=5`)).status).toBe(409);
    session = own;
    expect((await cart()).items).toMatchObject([{ quantity: 2 }]);
  });
});

test('a page begins the browser’s session by a script that its policy names', async () => {
  const response = await ask();
  const text = await response.text();
  const [, script = ''] = /<script>(.*?)<\/script>/.exec(text) ?? [];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
  const hash = Buffer.from(digest).toString('base64');
  expect(response.headers.get('content-security-policy')).toContain(`script-src 'self' 'sha256-${hash}'`);
  expect(text.indexOf(script)).toBeLessThan(text.indexOf('<link rel="stylesheet"'));
  const begin = (cookie: string): string => {
    const document = { cookie };
    const storage = { getItem: () => null };
    new Function('document', 'localStorage', 'location', script)(document, storage, { protocol: 'https:' });
    return document.cookie;
  };
  expect(begin('')).toMatch(/^stoa-shop-session=\d{8,40}; Path=\/shop; Max-Age=\d+; SameSite=Lax; Secure$/);
  expect(begin('a=1; stoa-shop-session=known-one')).toBe('a=1; stoa-shop-session=known-one');
});
