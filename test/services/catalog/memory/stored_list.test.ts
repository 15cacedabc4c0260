// Lists of a catalogue that is not in memory have the bytes and cursors of one that is, for every filter and sort.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListProductsRequest } from '#proto/gen/catalog.ts';
import { type CatalogHost, openCatalogHost } from '#test/services/catalog/host.ts';
import {
  CATEGORIES,
  COLLECTION,
  HIDDEN_COLLECTION,
  productId,
  randomCatalogue,
  uuidOf,
  writeCatalogue,
} from '#test/services/catalog/random_catalogue.ts';
import { ASLEEP, callOf, newStore, openReader, type Reader } from '#test/services/catalog/reader.ts';

let host: CatalogHost;
beforeAll(async () => {
  host = await openCatalogHost();
});
afterAll(() => host?.close());

const few = <const T>(...values: T[]) => fc.constantFrom(...values);

const filters = {
  category_id: few(...CATEGORIES.slice(0, 2), uuidOf(1, 9)),
  subcategory_id: few(CATEGORIES[2]!.toUpperCase()),
  collection_id: few(COLLECTION, HIDDEN_COLLECTION, uuidOf(3, 9)),
  brand: few('acme', 'ÉCLAIR', 'Eclair', 'i\u0307'),
  tag: few('NEW', 'sale', 'none', 'été'),
  condition: few('new', 'used', 'refurbished'),
  featured: fc.boolean(),
  in_stock: fc.boolean(),
  min_price: few(0, 2.5, 5, 9.99, 10),
  max_price: few(0, 9, 10, 19.99, 25),
  ids: fc.array(
    fc.nat(30).map((at) => productId(at)),
    { minLength: 1, maxLength: 12 },
  ),
  search: few('ALPHA', 'arm', 'et', 'AB-', 'ab-1', 'b-1', '日', 'fine', ' ', '%'),
  is_active: fc.boolean(),
  low_stock: fc.boolean(),
} satisfies { readonly [K in keyof ListProductsRequest]?: fc.Arbitrary<ListProductsRequest[K]> };

type FilterName = keyof typeof filters;

/** Limits filters to two, so that matches remain. Sorts by name, and by fixed prices, read the whole catalogue. */
const request = fc
  .tuple(
    fc.record(filters),
    fc.subarray(Object.keys(filters) as FilterName[], { maxLength: 2 }),
    few(undefined, 'newest', 'featured', 'rating', 'price_asc', 'price_desc', 'collection'),
    fc.integer({ min: 1, max: 3 }),
    few(undefined, undefined, 'de', 'fr'),
    few(undefined, undefined, 'EUR', 'JPY', 'CHF'),
    few(undefined, undefined, 'id,name,last_restocked', 'variants.sku'),
  )
  .map(([all, names, sort, limit, language, currency, fields]): ListProductsRequest => {
    const asked: Partial<ListProductsRequest> = Object.fromEntries(names.map((name) => [name, all[name]]));
    const isOrdered = currency !== 'JPY' || sort === undefined || !sort.startsWith('price');
    return {
      ...asked,
      limit,
      ...(sort && isOrdered && { sort }),
      ...(language && { language }),
      ...(currency && { currency }),
      ...(fields && { fields }),
    };
  });

const PAGES_MAX = 8;

const nextCursorOf = (reply: unknown): string | null =>
  Array.isArray(reply) && String(reply[0]).startsWith('{')
    ? (JSON.parse(String(reply[0])).pagination.next_cursor ?? null)
    : null;

test('answers pages with the same bytes from Postgres as from memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomCatalogue,
      fc.array(request, { minLength: 40, maxLength: 60, size: 'max' }),
      async (content, requests) => {
        const tenant = await newStore(host);
        await host.runtime.postgres.transaction(({ sql }) =>
          writeCatalogue(sql, tenant, content, host.clock.now(tenant)),
        );
        const [asleep, awake] = [openReader(host, ASLEEP), openReader(host)];
        for (const [at, input] of requests.entries()) {
          const call = callOf(host, tenant, at % 3 === 0 ? 'secret' : 'publishable');
          let cursor: string | null = null;
          for (let page = 0; page < PAGES_MAX; page++) {
            const asked: object = { ...input, ...(cursor !== null && { cursor }) };
            const expected = await awake.read('ListProducts', call, asked);
            expect(await asleep.read('ListProducts', call, asked), JSON.stringify(asked)).toEqual(expected);
            cursor = nextCursorOf(expected);
            if (cursor === null) break;
          }
        }
      },
    ),
    { numRuns: Number(process.env.STOA_CATALOGUES ?? 2), endOnFailure: true },
  );
});

const namesOf = async (reader: Reader, call: ReturnType<typeof callOf>, input: object): Promise<string[]> => {
  const [text] = (await reader.read('ListProducts', call, input)) as [string];
  return JSON.parse(text).products.map(({ name }: { name: string }) => name);
};

test('reads on until a page is full, also where few products pass', async () => {
  const tenant = await newStore(host);
  const rows = Array.from({ length: 300 }, (_, at) => ({ name: `P${at}`, brand: at % 60 === 0 ? 'ÉCLAIR' : 'Ö' }));
  await host.upsert(tenant, rows);
  const call = callOf(host, tenant, 'publishable');
  const input = { brand: 'éclair', limit: 3 };
  const expected = await namesOf(openReader(host), call, input);
  expect(expected).toHaveLength(3);
  expect(await namesOf(openReader(host, ASLEEP), call, input)).toEqual(expected);
});

test('waits for the whole catalogue where Postgres has no order', async () => {
  const tenant = await newStore(host);
  await host.upsert(tenant, [{ name: 'b' }, { name: 'Ä' }]);
  const reader = openReader(host, { smallProductsMax: 0 });
  expect(await namesOf(reader, callOf(host, tenant, 'publishable'), { sort: 'name' })).toEqual(['Ä', 'b']);
  expect(reader.pool.isLoaded(tenant)).toBe(true);
});

test('refuses a damaged cursor, and takes no forged one for a query', async () => {
  const tenant = await newStore(host);
  await host.upsert(tenant, [{ name: 'b' }, { name: 'c' }]);
  const [asleep, awake] = [openReader(host, ASLEEP), openReader(host)];
  const call = callOf(host, tenant, 'publishable');
  for (const cursor of ['x', 'AAAAAAAAAAAAAAAA'])
    expect(await asleep.read('ListProducts', call, { cursor })).toEqual(
      await awake.read('ListProducts', call, { cursor }),
    );
});
