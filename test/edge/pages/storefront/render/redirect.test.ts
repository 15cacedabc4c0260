// Tests that no redirect of the shop leads to another host.
import { beforeAll, expect, test } from 'vitest';
import type { ShopHandler } from '#edge/pages/storefront/setting.ts';
import { openMerchant } from '#test/support/catalog.ts';
import { sharedStoa } from '#test/support/stoa.ts';
import { createShop } from './shop.ts';

const ORIGIN = 'https://shop.example';

let shop: ShopHandler;
beforeAll(async () => {
  const stoa = await sharedStoa();
  const merchant = await openMerchant(stoa);
  shop = await createShop({
    setting: { key: merchant.keys.publishable_key, code: merchant.keys.code },
    apiUrl: stoa.url,
    base: '',
    files: { script: '/main.js', style: '/style.css' },
    redirects: new Map([['old-mug', '//other.example']]),
  });
});

test.each([
  ['//other.example/', '/other.example'],
  ['/\\other.example/', '/other.example'],
  ['/.//other.example/', '/other.example'],
  ['/x/..//other.example/?q=1?2', '/other.example?q=1?2'],
  ['/en//other.example/', '/other.example/'],
  ['/en/\\other.example', '/other.example'],
  ['//products/old-mug', '/products/%2F%2Fother.example'],
  ['//?token=1', '/account?token=1'],
])('redirects from %s to a page of its own', async (path, location) => {
  const response = await shop(new Request(ORIGIN + path), '');
  expect([response.headers.get('location'), response.headers.get('x-content-type-options')]).toEqual([
    location,
    'nosniff',
  ]);
});

test('shows no link to the host that a path without a page names', async () => {
  const text = await (await shop(new Request(`${ORIGIN}//other.example`), '')).text();
  expect(text).toContain('href="/cart');
  expect(text).not.toMatch(/(?:href|action)="[/\\]{2}/);
});
