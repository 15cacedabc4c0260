// A shop's sitemap: one file, or an index of parts for a large shop.
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { cachedAddresses, sitemap } from '#edge/pages/storefront/render/sitemap.ts';

const SHOP = 'https://shop.example';
const ONE = { language: 'en', languages: [] };
const THREE = { language: 'en', languages: ['de', 'pt-BR'] };
const addresses = Array.from({ length: 11 }, (_, at) => ({ path: `/products/a&b-${at}` }));
const listing = { addresses, languages: ONE };
const read = (text: string | null) => new XMLParser({ isArray: (name) => name === 'url' }).parse(text!);

test('lists a small shop in one file', () => {
  const { urlset } = read(
    sitemap({ addresses: [{ path: '', changed: '2026-01-02T03:04:05.678Z' }], languages: ONE }, null, SHOP),
  );
  expect(urlset.url).toEqual([{ loc: SHOP, lastmod: '2026-01-02T03:04:05.678Z' }]);
});

test('lists a large shop in parts, each address once', () => {
  const { sitemapindex } = read(sitemap(listing, null, SHOP, 5));
  expect(sitemapindex.sitemap.map(({ loc }: { loc: string }) => loc)).toEqual(
    [1, 2, 3].map((part) => `${SHOP}/sitemap-${part}.xml`),
  );
  const listed = [1, 2, 3].flatMap((part) => read(sitemap(listing, part, SHOP, 5)).urlset.url);
  expect(listed.map(({ loc }) => loc.replaceAll('&amp;', '&'))).toEqual(addresses.map(({ path }) => SHOP + path));
  expect([sitemap(listing, 0, SHOP, 5), sitemap(listing, 4, SHOP, 5)]).toEqual([null, null]);
});

test('lists a page in each language, with links between them, and no more addresses in a part', () => {
  const text = sitemap({ addresses: addresses.slice(0, 4), languages: THREE }, 1, SHOP, 6)!;
  const { urlset } = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'url' }).parse(text);
  expect(urlset.url.map(({ loc }: { loc: string }) => loc)).toEqual(
    [0, 1].flatMap((at) => ['', '/de', '/pt-BR'].map((prefix) => `${SHOP}${prefix}/products/a&b-${at}`)),
  );
  for (const url of urlset.url.slice(0, 3))
    expect(url['xhtml:link'].map((link: Record<string, string>) => [link['@_hreflang'], link['@_href']])).toEqual([
      ['en', `${SHOP}/products/a&b-0`],
      ['de', `${SHOP}/de/products/a&b-0`],
      ['pt-BR', `${SHOP}/pt-BR/products/a&b-0`],
      ['x-default', `${SHOP}/products/a&b-0`],
    ]);
});

test('reads the addresses once in ten minutes, and again after a failure', async () => {
  let reads = 0;
  let now = 0;
  let fails = true;
  const addressesNow = cachedAddresses(
    async () => {
      reads++;
      if (fails) throw new Error('offline');
      return listing;
    },
    () => now,
  );
  await expect(addressesNow()).rejects.toThrow('offline');
  fails = false;
  await Promise.all([addressesNow(), addressesNow(), addressesNow()]);
  expect(reads).toBe(2);
  now = 11 * 60_000;
  await addressesNow();
  expect(reads).toBe(3);
});
