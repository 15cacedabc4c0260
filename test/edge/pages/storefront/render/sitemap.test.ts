// A shop's sitemap: one file, or an index of parts for a large shop.
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { cachedAddresses, sitemap } from '#edge/pages/storefront/render/sitemap.ts';

const SHOP = 'https://shop.example';
const addresses = Array.from({ length: 11 }, (_, at) => ({ path: `/products/a&b-${at}` }));
const read = (text: string | null) => new XMLParser({ isArray: (name) => name === 'url' }).parse(text!);

test('lists a small shop in one file', () => {
  const { urlset } = read(sitemap([{ path: '', changed: '2026-01-02T03:04:05.678Z' }], null, SHOP));
  expect(urlset.url).toEqual([{ loc: SHOP, lastmod: '2026-01-02T03:04:05.678Z' }]);
});

test('lists a large shop in parts, each address once', () => {
  const { sitemapindex } = read(sitemap(addresses, null, SHOP, 5));
  expect(sitemapindex.sitemap.map(({ loc }: { loc: string }) => loc)).toEqual(
    [1, 2, 3].map((part) => `${SHOP}/sitemap-${part}.xml`),
  );
  const listed = [1, 2, 3].flatMap((part) => read(sitemap(addresses, part, SHOP, 5)).urlset.url);
  expect(listed.map(({ loc }) => loc.replaceAll('&amp;', '&'))).toEqual(addresses.map(({ path }) => SHOP + path));
  expect([sitemap(addresses, 0, SHOP, 5), sitemap(addresses, 4, SHOP, 5)]).toEqual([null, null]);
});

test('reads the addresses once in ten minutes, and again after a failure', async () => {
  let reads = 0;
  let now = 0;
  let fails = true;
  const addressesNow = cachedAddresses(
    async () => {
      reads++;
      if (fails) throw new Error('offline');
      return addresses;
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
