// A catalogue that is not in memory answers with the same bytes as one that is.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CatalogHost, openCatalogHost } from '#test/services/catalog/host.ts';
import {
  CATEGORIES,
  COLLECTION,
  HIDDEN_COLLECTION,
  productId,
  randomCatalogue,
  uuidOf,
  variantId,
  writeCatalogue,
} from '#test/services/catalog/random_catalogue.ts';
import { ASLEEP, callOf, newStore, openReader } from '#test/services/catalog/reader.ts';
import { eventually } from '#test/support/server.ts';

let host: CatalogHost;
beforeAll(async () => {
  host = await openCatalogHost();
});
afterAll(() => host?.close());

const PRODUCTS = Array.from({ length: 27 }, (_, at) => productId(at));
const VARIANTS = PRODUCTS.flatMap((_, at) => [0, 1, 2].map((each) => variantId(at, each)));
const NO_IDS = ['no id', uuidOf(9, 9)];

const view = fc.record(
  { language: fc.constantFrom('de', 'en', 'fr'), currency: fc.constantFrom('EUR', 'JPY', 'usd', 'CHF') },
  { requiredKeys: [] },
);
const someOf = (ids: readonly string[]) => fc.subarray([...ids, ...NO_IDS], { maxLength: 4 });

const request = fc.oneof(
  fc.tuple(
    fc.constant('GetProduct'),
    fc.tuple(fc.constantFrom(...PRODUCTS), view).map(([id, shown]) => ({ id: id.toUpperCase(), ...shown })),
  ),
  fc.tuple(
    fc.constant('GetProductBySlug'),
    fc.tuple(fc.nat(27), view).map(([at, shown]) => ({ slug: `p-${at}`, ...shown })),
  ),
  fc.tuple(fc.constant('GetSpecifications'), fc.record({ id: fc.constantFrom(...PRODUCTS) })),
  fc.tuple(fc.constantFrom('PricingVariantsByIds', 'VariantsByIds'), fc.record({ variant_ids: someOf(VARIANTS) })),
  fc.tuple(
    fc.constantFrom('ActiveProducts', 'ProductsByIds', 'NamedProducts'),
    fc.record({ product_ids: someOf(PRODUCTS) }),
  ),
  fc.tuple(
    fc.constant('MissingIds'),
    fc.record({
      product_ids: someOf(PRODUCTS),
      category_ids: someOf(CATEGORIES),
      collection_ids: someOf([COLLECTION, HIDDEN_COLLECTION]),
    }),
  ),
  fc.tuple(
    fc.constant('OffersByIds'),
    fc.record({
      offered: fc.array(
        fc.tuple(fc.nat(26), fc.nat(3)).map(([at, each]) => ({
          product_id: productId(at),
          variant_id: each === 3 ? null : variantId(at, each),
        })),
        { maxLength: 5 },
      ),
      collection_ids: someOf([COLLECTION, HIDDEN_COLLECTION]),
    }),
  ),
  fc.tuple(
    fc.constant('FoundProducts'),
    fc
      .tuple(someOf(PRODUCTS), view)
      .map(([ids, shown]) => ({ hits: ids.map((product_id) => ({ product_id, score: 0.5 })), ...shown })),
  ),
);

/** Collections of a product have no order of their own. */
const sorted = (reply: unknown): unknown =>
  JSON.parse(JSON.stringify(reply), (key, value) => (key === 'collection_ids' ? [...value].sort() : value));

test('answers the same bytes from Postgres as from memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomCatalogue,
      fc.array(request, { minLength: 20, maxLength: 40 }),
      async (content, requests) => {
        const tenant = await newStore(host);
        await host.runtime.postgres.transaction(({ sql }) =>
          writeCatalogue(sql, tenant, content, host.clock.now(tenant)),
        );
        const [asleep, awake] = [openReader(host, ASLEEP), openReader(host)];
        for (const [rpc, input] of requests)
          for (const keyType of ['publishable', 'secret'] as const) {
            const call = callOf(host, tenant, keyType);
            const [expected, reply] = [await awake.read(rpc, call, input), await asleep.read(rpc, call, input)];
            if (rpc === 'PricingVariantsByIds' && Array.isArray(reply) && Array.isArray(expected))
              expect(sorted(JSON.parse(reply[0]))).toEqual(sorted(JSON.parse(expected[0])));
            else expect(reply).toEqual(expected);
          }
        const isEmpty = content.products.every(({ deleted }) => deleted);
        expect([awake.pool.isLoaded(tenant), asleep.pool.isLoaded(tenant)]).toEqual([true, isEmpty]);
      },
    ),
    { numRuns: Number(process.env.STOA_CATALOGUES ?? 8), endOnFailure: true },
  );
});

test('answers calls at once from one read, each with its own products', async () => {
  const tenant = await newStore(host);
  const { created } = await host.upsert(
    tenant,
    Array.from({ length: 60 }, (_, at) => ({ name: `P${at}`, price: at })),
  );
  const { read } = openReader(host, ASLEEP);
  const call = callOf(host, tenant, 'publishable');
  const replies = await Promise.all(
    created.map(async (id) => JSON.parse(((await read('GetProduct', call, { id })) as [string])[0]).name),
  );
  expect(replies).toEqual(created.map((_, at) => `P${at}`));
});

test('reads back what was written while it loads, and follows once it is loaded', async () => {
  const tenant = await newStore(host);
  const { created } = await host.upsert(tenant, [{ name: 'Lamp', price: 5 }]);
  const id = created[0]!;
  const { pool, read } = openReader(host, { smallProductsMax: 0 });
  const price = async (): Promise<unknown> => {
    const [text] = (await read('GetProduct', callOf(host, tenant, 'secret'), { id })) as [string];
    return JSON.parse(text).price;
  };
  expect(await price()).toBe(5);
  for (let written = 6; written < 12; written++) {
    const { revision } = await host.upsert(tenant, [{ id, price: written }]);
    await pool.pullRevision(tenant, revision);
    expect(await price()).toBe(written);
  }
  await eventually(() => expect(pool.isLoaded(tenant)).toBe(true));
  const { revision } = await host.upsert(tenant, [{ id, price: 20 }]);
  await pool.pullRevision(tenant, revision);
  expect(await price()).toBe(20);
});

test('waits for a small catalogue, and loads it beside a large one that waits', async () => {
  const [small, large] = [await newStore(host), await newStore(host)];
  await host.upsert(large, [{ name: 'A' }, { name: 'B' }]);
  const { created } = await host.upsert(small, [{ name: 'C' }]);
  const { pool, read } = openReader(host, { smallProductsMax: 1, largeLoadsMax: 0 });
  expect(await read('ProductsByIds', callOf(host, large, 'internal'), { product_ids: [] })).toEqual([
    '{"products":[]}',
    [],
  ]);
  await read('GetProduct', callOf(host, small, 'secret'), { id: created[0] });
  expect([pool.isLoaded(large), pool.isLoaded(small)]).toEqual([false, true]);
});
