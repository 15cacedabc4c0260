// The pages of a German shop without script: none shows an English sentence of the shop's own or of the API.
import { beforeAll, expect, test } from 'vitest';
import german from '#edge/pages/storefront/language/de.json' with { type: 'json' };
import english from '#edge/pages/storefront/language/en.json' with { type: 'json' };
import type { ShopHandler } from '#edge/pages/storefront/setting.ts';
import { openMerchant } from '#test/support/catalog.ts';
import { sharedStoa } from '#test/support/stoa.ts';
import { createShop } from './render/shop.ts';

let bowl: string;
let variant: string;
let shop: ShopHandler;
const askOwn = (path: string, init: RequestInit = {}): Promise<Response> =>
  shop(new Request(`http://127.0.0.1/shop${path}`, init), '');

beforeAll(async () => {
  const stoa = await sharedStoa();
  const seller = await openMerchant(stoa);
  await seller.secret('PATCH', '/v1/store', { languages: ['de'] });
  const product = await seller.createProduct({
    name: 'Clay bowl',
    price: 12,
    stock: 9,
    translations: { de: { name: 'Tonschale' } },
  });
  bowl = product.product_slug!;
  variant = product.variant_id!;
  shop = await createShop({
    setting: { key: seller.keys.publishable_key, code: seller.keys.code },
    apiUrl: stoa.url,
    base: '/shop',
    files: { script: '/main.js', style: '/style.css' },
    origin: 'https://shop.example',
  });
});

test('shows no English sentence on any German page', async () => {
  const sentences = Object.entries(english)
    .filter(([name, text]) => /[a-z] [a-z]/.test(text) && text !== german[name as keyof typeof german])
    .map(([, text]) => new RegExp(`\\b${text.replace(/[.*+?^$()[\]|\\]/g, '\\$&').replace(/\{\w+\}/g, '[^<]{1,40}')}`));
  const paths = [
    '',
    '/products',
    `/products/${bowl}`,
    `/products/${bowl}?variant=none`,
    '/products/none',
    '/search?q=Ton',
  ];
  paths.push('/search?q=none', '/cart', '/orders', '/account', '/checkout', '/checkout/none', '/orders/none', '/none');
  paths.push('/categories/none', '/collections', '/collections/none', '/policies/returns');
  for (const path of paths) {
    const html = await (await askOwn(`/de${path}`)).text();
    const shown = html.replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>/g, '');
    expect(shown, path).toContain('<html lang="de">');
    expect(sentences.filter((sentence) => sentence.test(shown)).map(String), path).toEqual([]);
  }
});

test('refuses in the language what the API refuses in English', async () => {
  const body = new URLSearchParams({ variant_id: variant, quantity: '90' });
  const refused = await askOwn('/de/cart', { method: 'POST', body });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain('Davon ist nicht genug auf Lager.');
  expect(await (await askOwn('/cart', { method: 'POST', body })).text()).toMatch(/role="alert">[^<]*9/);
});
