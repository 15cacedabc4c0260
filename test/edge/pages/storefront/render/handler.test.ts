// The shop's pages as search engines and browsers without script see them: heads, statuses, tags, forms and cookies.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShopHandler } from '#edge/pages/storefront/setting.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { createShop } from './shop.ts';

const ORIGIN = 'https://shop.example';
const FILES = { script: '/main.js', style: '/style.css' };

let stoa: Stoa;
let merchant: Merchant;
let shop: ShopHandler;
let slug: string;
let archived: string;
let variants: readonly string[];
let calls = 0;
const statuses: number[] = [];

beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  const { category } = (
    await stoa.send('POST', '/v1/categories', { key: merchant.keys.secret_key, body: { name: 'Mugs & jugs' } })
  ).body;
  const product = await merchant.createProduct({
    name: 'Tall </script> mug',
    description: '<p>Holds <b>tea</b>.</p><script>window.ran = 1</script>',
    category_id: category.id,
    variants: [
      { variant_attributes: { size: 'M' }, price: 20, stock: 3 },
      { variant_attributes: { size: 'L' }, price: 22, stock: 9 },
    ],
  });
  slug = product.product_slug ?? '';
  variants = product.variants!.map(({ variant_id }) => variant_id);
  archived = (await merchant.createProduct({ name: 'Old jug', price: 5, stock: 1 })).product_slug ?? '';
  const { products } = (await stoa.send('GET', '/v1/products?search=Old', { key: merchant.keys.secret_key })).body;
  await stoa.send('PATCH', `/v1/products/${products[0].id}`, {
    key: merchant.keys.secret_key,
    body: { is_active: false },
  });
  shop = await createShop({
    secrets: { key: merchant.keys.secret_key, hmacSecret: merchant.keys.hmac_secret },
    setting: { key: merchant.keys.publishable_key, code: merchant.keys.code },
    apiUrl: stoa.url,
    base: '/shop',
    files: FILES,
    origin: ORIGIN,
    redirects: new Map([['old-mug', slug]]),
    fetch: async (url, init) => {
      calls++;
      const response = await fetch(url, init);
      statuses.push(response.status);
      return response;
    },
  });
});
afterAll(() => {
  expect(calls).toBeGreaterThan(0);
});

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  shop(new Request(`http://127.0.0.1/shop${path}`, init), '');
const read = async (path: string): Promise<string> => (await ask(path)).text();
const metaOf = (text: string, name: string): string | undefined =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(text)?.[1];

describe('a product’s page', () => {
  test('describes itself in its head: title, description, canonical address and preview', async () => {
    const text = await read(`/products/${slug}?variant=${variants[1]}`);
    expect(text).toMatch(/<title>Tall &lt;\/script&gt; mug · [^<]+<\/title>/);
    expect(metaOf(text, 'description')).toBe('Holds tea.');
    expect(text).toContain(`<link rel="canonical" href="${ORIGIN}/shop/products/${slug}">`);
    expect(metaOf(text, 'og:type')).toBe('product');
    expect(metaOf(text, 'og:url')).toBe(`${ORIGIN}/shop/products/${slug}`);
  });

  test('adds the store’s name to a title once', async () => {
    const { name } = (await stoa.send('GET', '/v1/store', { key: merchant.keys.secret_key })).body.store;
    const product = await merchant.createProduct({ name: 'Jug', price: 9, seo_title: `Jugs at ${name}` });
    await eventually(async () =>
      expect(await read(`/products/${product.product_slug}`)).toContain(`<title>Jugs at ${name}</title>`),
    );
  });

  test('shows the variant that the address names', async () => {
    expect(await read(`/products/${slug}?variant=${variants[1]}`)).toContain('<b>$22.00</b>');
    expect(await read(`/products/${slug}`)).toContain('<b>$20.00</b>');
  });

  test('keeps a product’s text out of its script elements', async () => {
    const text = await read(`/products/${slug}`);
    const scripts = [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)];
    expect(text.match(/<\/script>/g)).toHaveLength(scripts.length);
    expect(text).not.toContain('<script>window.ran');
    expect(JSON.parse(scripts.at(-1)![1]!)).toMatchObject({ base: '/shop', path: `/products/${slug}` });
  });

  test('asks the API again by its tags, and confirms its own', async () => {
    const first = await ask(`/products/${slug}`);
    await first.text();
    const before = statuses.length;
    const etag = first.headers.get('etag')!;
    const second = await ask(`/products/${slug}`, { headers: { 'if-none-match': etag } });
    expect([second.status, second.headers.get('etag')]).toEqual([304, etag]);
    expect(new Set(statuses.slice(before))).toEqual(new Set([304]));
  });

  test('changes its tag with the product', async () => {
    const product = await merchant.createProduct({ name: 'Bowl', price: 5, stock: 1 });
    const path = `/products/${product.product_slug}`;
    const etag = (await ask(path)).headers.get('etag')!;
    await stoa.send('PATCH', `/v1/products/${product.id}`, {
      key: merchant.keys.secret_key,
      body: { name: 'Big bowl' },
    });
    await eventually(async () => {
      const response = await ask(path, { headers: { 'if-none-match': etag } });
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('<h1 dir="auto">Big bowl'),
      ]);
    });
  });
});

describe('an address', () => {
  test.each([
    ['/', 200],
    ['/products', 200],
    ['/search?q=mug&stock=yes', 200],
    ['/categories/mugs-jugs', 200],
    ['/cart', 200],
    ['/checkout', 200],
    ['/account', 200],
    ['/products/none', 404],
    ['/products/%2fnone', 404],
    ['/collections/none', 404],
    ['/categories/none', 404],
    ['/policies/none', 404],
    ['/nowhere', 404],
    ['/products/a/b', 404],
  ])('%s answers %d', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });

  test.each([
    ['/products/old-mug', 301, () => `/shop/products/${slug}`],
    ['/products/', 301, () => '/shop/products'],
    ['/?token=abc', 302, () => '/shop/account?token=abc'],
  ])('%s redirects', async (path, status, target) => {
    const response = await ask(path);
    expect([response.status, response.headers.get('location')]).toEqual([status, target()]);
  });

  test.each(['/search?q=mug', '/products?stock=yes', '/cart', '/checkout', '/products/none'])(
    '%s is not for search engines',
    async (path) => {
      const text = await read(path);
      expect([metaOf(text, 'robots'), text.includes('rel="canonical"')]).toEqual(['noindex, follow', false]);
    },
  );

  test.each(['/cart', '/checkout', '/account', '/orders/1'])('%s is in no cache', async (path) => {
    const { headers } = await ask(path);
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null]);
  });

  test('answers 405 to other methods, and HEAD without a body', async () => {
    expect((await ask('/', { method: 'DELETE' })).status).toBe(405);
    const head = await ask('/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('answers 503 while the API cannot be reached', async () => {
    const cut = await createShop({
      setting: { key: merchant.keys.publishable_key, code: 'none' },
      apiUrl: stoa.url,
      base: '',
      files: FILES,
      fetch: () => Promise.reject(new TypeError('refused')),
    });
    const response = await cut(new Request('http://127.0.0.1/'), '');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  });
});

describe('search engines', () => {
  test('learn a product’s offers and its path', async () => {
    const text = await read(`/products/${slug}`);
    const [product, trail] = [...text.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(
      ([, data]) => JSON.parse(data!),
    );
    const url = `${ORIGIN}/shop/products/${slug}`;
    expect(product).toMatchObject({
      '@type': 'Product',
      name: 'Tall </script> mug',
      description: 'Holds tea.',
      offers: [
        { '@type': 'Offer', price: 20, priceCurrency: 'USD', url: `${url}?variant=${variants[0]}` },
        { '@type': 'Offer', price: 22, availability: 'https://schema.org/InStock' },
      ],
    });
    expect(product.aggregateRating).toBeUndefined();
    expect(trail.itemListElement.map(({ item }: { item: string }) => item)).toEqual([
      `${ORIGIN}/shop/products`,
      `${ORIGIN}/shop/categories/mugs-jugs`,
      url,
    ]);
  });

  test('read a sitemap of everything that they may list, and no archived product', async () => {
    const response = await ask('/sitemap.xml');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const text = await response.text();
    for (const path of ['', '/products', '/categories/mugs-jugs', `/products/${slug}`])
      expect(text).toContain(`<loc>${ORIGIN}/shop${path}</loc>`);
    expect(text).not.toContain(archived);
    expect((await ask('/sitemap-1.xml')).status).toBe(200);
    expect((await ask('/sitemap-2.xml')).status).toBe(404);
  });

  test('read which pages are none of theirs', async () => {
    const text = await read('/robots.txt');
    expect(text).toContain('Disallow: /shop/cart\n');
    expect(text).toContain(`Sitemap: ${ORIGIN}/shop/sitemap.xml\n`);
  });

  test('get 410 for an archived product, and 404 without the secret key that tells', async () => {
    const gone = await ask(`/products/${archived}`);
    expect([gone.status, await gone.text()]).toEqual([410, expect.stringContaining('cannot be shown')]);
    const plain = await createShop({
      setting: { key: merchant.keys.publishable_key, code: merchant.keys.code },
      apiUrl: stoa.url,
      base: '',
      files: FILES,
    });
    expect((await plain(new Request(`http://127.0.0.1/products/${archived}`), '')).status).toBe(404);
  });
});

describe('a shop in several languages', () => {
  const BOWL = { en: 'Clay bowl', de: 'Tonschale', 'pt-BR': 'Tigela de barro' } as const;
  const LANGUAGES = ['en', 'de', 'pt-BR'] as const;
  const WORDS = { en: 'Add to cart', de: 'In den Warenkorb', 'pt-BR': 'Adicionar ao carrinho' } as const;
  const prefixOf = (language: string): string => (language === 'en' ? '' : `/${language}`);
  let bowl: string;
  let variant: string;
  let own: ShopHandler;
  const askOwn = (path: string, init: RequestInit = {}): Promise<Response> =>
    own(new Request(`http://127.0.0.1/shop${path}`, init), '');

  beforeAll(async () => {
    const seller = await openMerchant(stoa);
    await seller.secret('PATCH', '/v1/store', { languages: ['de', 'pt-BR'] });
    const product = await seller.createProduct({
      name: BOWL.en,
      price: 1234.5,
      stock: 9,
      translations: { de: { name: BOWL.de }, 'pt-BR': { name: BOWL['pt-BR'] } },
    });
    bowl = product.product_slug!;
    variant = product.variant_id!;
    own = await createShop({
      setting: { key: seller.keys.publishable_key, code: seller.keys.code },
      apiUrl: stoa.url,
      base: '/shop',
      files: FILES,
      origin: ORIGIN,
    });
  });

  test('answers readers of several languages at once, each in its own, by the address alone', async () => {
    const tags = new Map<string, string>();
    for (let round = 0; round < 5; round++)
      await Promise.all(
        LANGUAGES.map(async (language) => {
          const response = await askOwn(`${prefixOf(language)}/products/${bowl}`, {
            headers: { 'accept-language': LANGUAGES[round % LANGUAGES.length]! },
          });
          const text = await response.text();
          expect([response.status, response.headers.get('content-language')]).toEqual([200, language]);
          expect(response.headers.get('vary')).not.toContain('Accept-Language');
          expect(text).toContain(`<html lang="${language}">`);
          for (const other of LANGUAGES)
            for (const words of [BOWL[other], WORDS[other]])
              expect(text.includes(words), `${words} in ${language}`).toBe(other === language);
          tags.set(language, response.headers.get('etag')!);
        }),
      );
    expect(new Set(tags.values()).size).toBe(LANGUAGES.length);
    for (const [tagged, etag] of tags)
      for (const language of LANGUAGES) {
        const path = `${prefixOf(language)}/products/${bowl}`;
        const { status } = await askOwn(path, { headers: { 'if-none-match': etag } });
        expect([tagged, language, status]).toEqual([tagged, language, tagged === language ? 304 : 200]);
      }
  });

  test('links each page to itself in the other languages', async () => {
    for (const language of LANGUAGES) {
      const text = await (await askOwn(`${prefixOf(language)}/products/${bowl}?variant=${variant}`)).text();
      const path = `/products/${bowl}`;
      expect(text).toContain(`<link rel="canonical" href="${ORIGIN}/shop${prefixOf(language)}${path}">`);
      for (const [tag, prefix] of [...LANGUAGES.map((each) => [each, prefixOf(each)]), ['x-default', '']] as const)
        expect(text).toContain(`<link rel="alternate" hreflang="${tag}" href="${ORIGIN}/shop${prefix}${path}">`);
      const choices = [...text.matchAll(/<a href="([^"]+)" hreflang="([^"]+)"/g)].map(([, href]) => href);
      expect(choices).toEqual(LANGUAGES.map((each) => `/shop${prefixOf(each)}${path}?variant=${variant}`));
      expect(text).toContain(`href="/shop${prefixOf(language)}/products"`);
    }
    const cart = await (await askOwn('/de/cart')).text();
    expect(cart).not.toContain('rel="alternate"');
    expect(cart).toContain('Ihr Warenkorb ist leer');
  });

  test('shows numbers as the language writes them', async () => {
    expect(await (await askOwn(`/products/${bowl}`)).text()).toContain('$1,234.50');
    expect(await (await askOwn(`/de/products/${bowl}`)).text()).toContain('1.234,50\u00a0$');
  });

  test('redirects from the default language’s name, and has no page in other languages', async () => {
    const response = await askOwn(`/en/products/${bowl}?variant=1`);
    expect([response.status, response.headers.get('location')]).toEqual([301, `/shop/products/${bowl}?variant=1`]);
    expect((await askOwn('/en')).headers.get('location')).toBe('/shop');
    for (const path of ['/fr', `/fr/products/${bowl}`, '/de/de', '/de/sitemap.xml', '/de/robots.txt'])
      expect([path, (await askOwn(path)).status]).toEqual([path, 404]);
    expect((await askOwn('/de/products/')).headers.get('location')).toBe('/shop/de/products');
  });

  test('takes the cart’s form without script, and shows the cart in the language', async () => {
    const body = new URLSearchParams({ variant_id: variant, quantity: '2' });
    const response = await askOwn('/de/cart', { method: 'POST', body });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/shop/de/cart']);
    const [cookie = ''] = response.headers.get('set-cookie')!.split(';');
    expect(response.headers.get('set-cookie')).toContain('Path=/shop;');
    const text = await (await askOwn('/de/cart', { headers: { cookie } })).text();
    expect(text).toContain('Ihr Warenkorb');
    expect(text).toContain(BOWL.de);
    expect(text).not.toContain(`<b>${BOWL.en}`);
    expect(text).toContain('2.469,00\u00a0$');
    const refused = await askOwn('/de/cart', { method: 'POST', body: new URLSearchParams({}) });
    expect([refused.status, refused.headers.get('content-language')]).toEqual([400, 'de']);
    expect(await refused.text()).toContain('Das Formular nennt kein Produkt');
  });

  test('lists every page in each language for search engines', async () => {
    const sitemap = await (await askOwn('/sitemap.xml')).text();
    for (const language of LANGUAGES) {
      expect(sitemap).toContain(`<loc>${ORIGIN}/shop${prefixOf(language)}/products/${bowl}</loc>`);
      expect(sitemap).toContain(`hreflang="${language}" href="${ORIGIN}/shop${prefixOf(language)}/products/${bowl}"`);
    }
    const robots = await (await askOwn('/robots.txt')).text();
    for (const path of ['/cart', '/de/cart', '/pt-BR/search']) expect(robots).toContain(`Disallow: /shop${path}\n`);
  });
});

describe('the cart’s form', () => {
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    ask('/cart', { method: 'POST', body: new URLSearchParams(fields), headers });

  test('fills the visitor’s cart, which the next page shows', async () => {
    const first = await post({ variant_id: variants[0]!, quantity: '2' });
    expect([first.status, first.headers.get('location')]).toEqual([303, '/shop/cart']);
    const cookie = first.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^stoa-shop-session=\w+; Path=\/shop; .*SameSite=Lax; Secure$/);
    const [session = ''] = cookie.split(';');
    const second = await post({ variant_id: variants[1]!, quantity: '1' }, { cookie: session });
    expect(second.headers.get('set-cookie')).toBeNull();
    const text = await (await ask('/cart', { headers: { cookie: session } })).text();
    expect(text).toContain('$62.00');
    expect(await read('/cart')).toContain('Your cart is empty');
  });

  test.each([
    [{}, {}, 400],
    [{ variant_id: 'x', quantity: '0' }, {}, 400],
    [{ variant_id: 'x', quantity: '1e9' }, {}, 400],
    [{ variant_id: '01a2239f-2664-74ce-9c5a-b2967b873923', quantity: '1' }, {}, 409],
    [{ variant_id: 'x' }, { 'sec-fetch-site': 'cross-site' }, 403],
    [{ variant_id: 'x' }, { 'sec-fetch-site': 'same-site' }, 403],
  ])('is refused with %o and %o', async (fields, headers, status) => {
    const response = await post(fields as Record<string, string>, headers as Record<string, string>);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([status, null]);
    expect(await response.text()).toContain('role="alert"');
  });
});
