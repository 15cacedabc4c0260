// Compares lists with a scan of every product, and pages with a concurrently changing catalogue.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListProductsRequest } from '#proto/gen/catalog.ts';
import { Refusal } from '#runtime/call/call.ts';
import { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { ProductEntry } from '#services/catalog/memory/entry.ts';
import { listPage } from '#services/catalog/memory/listing.ts';
import { type ProductSort, SORTS } from '#services/catalog/memory/order.ts';
import type { ProductRecord, VariantRecord } from '#services/catalog/product.ts';
import { PRODUCT_FRAME, productRecord, someTenant, variantRecord } from '#test/support/catalog.ts';

const TENANT = someTenant();
const uuid = (kind: number, at: number): string => `00000000-0000-4000-8${kind}00-${String(at).padStart(12, '0')}`;
const CATEGORIES = [0, 1, 2].map((at) => uuid(1, at));
const COLLECTION = uuid(3, 0);
const HIDDEN = uuid(3, 1);
const few = <const T>(...values: T[]) => fc.constantFrom(...values);

const variant = fc.record({
  price: fc.option(fc.nat(6).map((units) => units * 500)),
  sale_price: fc.option(fc.nat(6).map((units) => units * 500)),
  on_hand: fc.nat(2),
  held: fc.nat(1),
  condition: few('new', 'used', 'refurbished'),
  sku: few(null, 'AB-1', 'ab-2', 'ZZ'),
  low_stock_threshold: few(null, 0, 1, 2),
}) satisfies fc.Arbitrary<Partial<VariantRecord>>;

/** Few values, so that ties and matches are common. */
const fields = fc.record({
  name: few('Alpha', 'alpha', 'Ärmel', 'Beta', 'beta', '日本', 'Zulu'),
  category_id: few(null, CATEGORIES[0]!, CATEGORIES[1]!),
  subcategory_id: few(null, CATEGORIES[2]!),
  brand: few(null, 'Acme', 'ACME', 'Éclair'),
  tags: few(null, '[]', '["New"]', '["new","Sale"]'),
  featured: fc.boolean(),
  featured_order: few(0, 1, 2),
  is_active: few(true, true, true, false),
  average_rating: few(null, 3.5, 5),
  review_count: few(0, 1, 7),
  created_at: fc.nat(3).map((day) => new Date(Date.UTC(2026, 0, 1 + day))),
  variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
});

const recordOf = (
  at: number,
  { variants, ...given }: typeof fields extends fc.Arbitrary<infer T> ? T : never,
): ProductRecord =>
  productRecord({
    ...given,
    id: uuid(4, at),
    slug: `p-${at}`,
    has_variants: variants.length > 1,
    variants: variants.map((own, index) =>
      variantRecord({ ...own, id: uuid(5, at * 10 + index), is_default: index === variants.length - 1 }),
    ),
  });

const records = fc.array(fields, { maxLength: 25 }).map((all) => all.map((one, at) => recordOf(at, one)));

const values = fc.record({
  category_id: few(...CATEGORIES.slice(0, 2)),
  subcategory_id: few(CATEGORIES[2]!),
  collection_id: few(COLLECTION, HIDDEN, uuid(3, 9)),
  brand: few('acme', 'ÉCLAIR', 'Eclair'),
  tag: few('NEW', 'sale', 'none'),
  condition: few('new', 'used', 'refurbished'),
  featured: fc.boolean(),
  in_stock: fc.boolean(),
  min_price: few(0, 5, 9.99, 10),
  max_price: few(0, 10, 19.99, 25),
  ids: fc.array(
    fc.nat(30).map((at) => uuid(4, at)),
    { minLength: 1, maxLength: 12 },
  ),
  search: few('ALPHA', 'arm', 'et', 'AB-', 'ab-1', 'b-1', '日'),
  is_active: fc.boolean(),
  low_stock: fc.boolean(),
});
type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

const FILTERS: (keyof Values)[] = [
  ...(['category_id', 'subcategory_id', 'collection_id', 'brand', 'tag', 'condition'] as const),
  ...(['featured', 'in_stock', 'min_price', 'max_price', 'ids', 'search', 'is_active', 'low_stock'] as const),
];

/** Limits filters to three, so that matches remain. */
const request = fc
  .tuple(
    values,
    fc.subarray(FILTERS, { maxLength: 3 }),
    fc.option(fc.constantFrom<(ProductSort | 'collection')[]>(...SORTS, 'collection'), { nil: undefined }),
  )
  .map(([all, names, sort]): ListProductsRequest => {
    const asked = Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<Values>;
    if (sort === undefined) return asked;
    return sort === 'collection' ? { ...asked, collection_id: all.collection_id, sort } : { ...asked, sort };
  });

const collection = (id: string, is_active: boolean, product_ids: readonly string[]) => ({
  id,
  name: 'C',
  slug: `c-${id.slice(-1)}`,
  description: '',
  collection_type: 'custom' as const,
  is_active,
  show_on_homepage: false,
  display_priority: 0,
  image: null,
  image_mobile: null,
  video: null,
  translations: null,
  created_at: new Date(0),
  updated_at: new Date(0),
  product_ids,
});

const MEMBERS = [7, 3, 99, 0, 12, 5, 1, 20].map((at) => uuid(4, at));

const catalogueOf = (all: readonly ProductRecord[]): Catalogue => {
  const catalogue = new Catalogue(PRODUCT_FRAME);
  catalogue.putProducts(all);
  catalogue.putCollections([collection(COLLECTION, true, MEMBERS), collection(HIDDEN, false, MEMBERS)], []);
  return catalogue;
};

const sellingOf = ({ price, sale_price }: VariantRecord): number | null =>
  price === null ? sale_price : sale_price === null ? price : Math.min(price, sale_price);

const nameKey = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const isFound = ({ name, variants }: ProductRecord, search: string): boolean =>
  nameKey(name).includes(nameKey(search)) ||
  variants.some(({ sku }) => sku !== null && fold(sku).startsWith(fold(search)));

const isLow = ({ on_hand, held, low_stock_threshold }: VariantRecord): boolean =>
  Math.max(0, on_hand - held) < (low_stock_threshold ?? PRODUCT_FRAME.lowStockThreshold);

/** An independent implementation of the filters. */
const matches = (record: ProductRecord, asked: ListProductsRequest, everything: boolean): boolean => {
  const { variants } = record;
  const members = asked.collection_id === COLLECTION || (everything && asked.collection_id === HIDDEN) ? MEMBERS : [];
  const { min_price = 0, max_price = Number.POSITIVE_INFINITY } = asked;
  const inRange = (one: VariantRecord): boolean => {
    const selling = sellingOf(one);
    return selling !== null && selling >= Math.ceil(min_price * 100) && selling <= max_price * 100;
  };
  const priced = asked.min_price !== undefined || asked.max_price !== undefined;
  const wanted = variants
    .filter((one) => asked.condition === undefined || one.condition === asked.condition)
    .filter((one) => !priced || inRange(one));
  return (
    (everything || record.is_active) &&
    (asked.category_id === undefined || record.category_id === asked.category_id) &&
    (asked.subcategory_id === undefined || record.subcategory_id === asked.subcategory_id) &&
    (asked.collection_id === undefined || members.includes(record.id)) &&
    (asked.brand === undefined || (record.brand !== null && fold(record.brand) === fold(asked.brand))) &&
    (asked.tag === undefined || (JSON.parse(record.tags ?? '[]') as string[]).map(fold).includes(fold(asked.tag))) &&
    (asked.featured === undefined || record.featured === asked.featured) &&
    (asked.is_active === undefined || record.is_active === asked.is_active) &&
    (asked.search === undefined || isFound(record, asked.search)) &&
    (asked.low_stock === undefined || variants.some(isLow) === asked.low_stock) &&
    wanted.length > 0 &&
    (asked.in_stock === undefined || wanted.some((one) => one.on_hand - one.held > 0) === asked.in_stock) &&
    (asked.ids === undefined || asked.ids.includes(record.id))
  );
};

/** One comparable value per product and sort; missing ones come last. */
const keyOf: Record<ProductSort, (record: ProductRecord) => (number | string)[]> = {
  newest: (record) => [-record.created_at.getTime()],
  price_asc: (record) => [sellingOf(record.variants.find((one) => one.is_default)!) ?? Number.POSITIVE_INFINITY],
  price_desc: (record) => [-(sellingOf(record.variants.find((one) => one.is_default)!) ?? Number.NEGATIVE_INFINITY)],
  name: (record) => [nameKey(record.name)],
  featured: (record) => [
    record.featured ? 0 : 1,
    record.featured ? record.featured_order : -record.created_at.getTime(),
  ],
  rating: (record) => [-(record.average_rating ?? 0), -record.review_count],
};

const lessOrEqual = (a: readonly (number | string)[], b: readonly (number | string)[]): boolean => {
  const at = a.findIndex((key, index) => key !== b[index]);
  return at < 0 || a[at]! < b[at]!;
};

interface Page {
  readonly entries: readonly ProductEntry[];
  readonly limit: number;
  readonly nextCursor: string | null;
}

const page = (catalogue: Catalogue, asked: ListProductsRequest, everything = false): Page => {
  const answer = listPage(catalogue, TENANT, asked, everything);
  if (answer instanceof Refusal) throw new Error(answer.message);
  return answer;
};

/** Every page from first to last; `between` may change the catalogue. */
const walk = (catalogue: Catalogue, asked: ListProductsRequest, everything = false, between = () => {}): string[] => {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; cursor !== null; pages++) {
    if (pages > 500) throw new Error('the walk does not end');
    const { entries, limit, nextCursor } = page(catalogue, cursor ? { ...asked, cursor } : asked, everything);
    expect(entries.length).toBeLessThanOrEqual(limit);
    if (nextCursor !== null) expect(entries).toHaveLength(limit);
    ids.push(...entries.map((entry) => entry.id));
    cursor = nextCursor;
    between();
  }
  return ids;
};

describe('a list', () => {
  test('holds exactly what passes every filter, in order, on pages of any size', () => {
    fc.assert(
      fc.property(records, request, fc.boolean(), fc.integer({ min: 1, max: 8 }), (all, asked, everything, limit) => {
        const ids = walk(catalogueOf(all), { ...asked, limit }, everything);
        const expected = all.filter((record) => matches(record, asked, everything)).map((record) => record.id);
        expect([...ids].sort()).toEqual(expected.sort());
        const byId = new Map(all.map((record) => [record.id, record]));
        const { sort = 'newest' } = asked;
        if (sort === 'collection') {
          expect(ids).toEqual(MEMBERS.filter((id) => ids.includes(id)));
          return;
        }
        const keys = ids.map((id) => keyOf[sort](byId.get(id)!));
        for (const [at, key] of keys.entries()) if (at > 0) expect(lessOrEqual(keys[at - 1]!, key)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('shows what remains exactly once, while others are created and deleted between pages', () => {
    const newcomer = fc.record({ at: fc.integer({ min: 100, max: 140 }), fields, leaves: fc.nat(24) });
    fc.assert(
      fc.property(
        records,
        fc.array(newcomer, { maxLength: 30 }),
        few<ProductSort>(...SORTS),
        fc.integer({ min: 1, max: 4 }),
        (all, changes, sort, limit) => {
          const catalogue = catalogueOf(all);
          const left = new Set<string>();
          const queue = [...changes];
          const ids = walk(catalogue, { sort, limit }, true, () => {
            const change = queue.shift();
            if (!change) return;
            catalogue.putProducts([recordOf(change.at, change.fields)]);
            left.add(uuid(4, change.leaves));
            catalogue.removeProducts([uuid(4, change.leaves)]);
          });
          const stayed = all.map((record) => record.id).filter((id) => !left.has(id));
          for (const id of stayed) expect(ids.filter((seen) => seen === id)).toEqual([id]);
          for (const id of left) expect(ids.filter((seen) => seen === id).length).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('continues after a deleted product that ended a page', () => {
    const all = Array.from({ length: 5 }, (_, at) =>
      productRecord({ id: uuid(4, at), slug: `p-${at}`, created_at: new Date(Date.UTC(2026, 0, 9 - at)) }),
    );
    const catalogue = catalogueOf(all);
    const first = page(catalogue, { limit: 2 });
    catalogue.removeProducts([all[1]!.id]);
    expect(page(catalogue, { limit: 2, cursor: first.nextCursor! }).entries.map((entry) => entry.id)).toEqual([
      all[2]!.id,
      all[3]!.id,
    ]);
  });
});

describe('a cursor of a list', () => {
  const catalogue = catalogueOf(
    Array.from({ length: 5 }, (_, at) => productRecord({ id: uuid(4, at), slug: `p-${at}` })),
  );
  const cursor = page(catalogue, { limit: 2, brand: undefined }).nextCursor!;

  test.each<[string, ListProductsRequest]>([
    ['another filter', { featured: false }],
    ['another sort', { sort: 'name' }],
    ['another filter of the same value', { max_price: 0 }],
  ])('is refused with %s', (_what, asked) => {
    const refusal = listPage(catalogue, TENANT, { ...asked, cursor }, false) as Refusal;
    expect([refusal.code, refusal.extra.param]).toEqual(['invalid_request', 'cursor']);
  });

  test.each([
    ['another store', someTenant()],
    ['the other environment', { ...TENANT, environment: 'sandbox' as const }],
  ])('is refused in %s', (_what, tenant) => {
    expect(listPage(catalogue, tenant, { cursor }, false)).toBeInstanceOf(Refusal);
  });

  test('continues with another page size and with the default sort named', () => {
    expect(page(catalogue, { cursor, limit: 100, sort: 'newest' }).entries).toHaveLength(3);
  });

  test('ends with null on a full last page', () => {
    expect(page(catalogue, { limit: 5 }).nextCursor).toBeNull();
    expect(page(catalogue, { limit: 4 }).nextCursor).not.toBeNull();
  });
});

describe('filters over variants match one and the same variant', () => {
  const unavailable = { price: 5_000, sale_price: null, on_hand: 0, held: 0, condition: 'new' } as const;
  const used = { price: 9_000, sale_price: null, on_hand: 3, held: 0, condition: 'used' } as const;
  const shoe = productRecord({
    id: uuid(4, 1),
    variants: [
      variantRecord({ ...unavailable, id: uuid(5, 1) }),
      variantRecord({ ...used, id: uuid(5, 2), is_default: false }),
    ],
  });
  test.each<[Partial<ListProductsRequest>, boolean]>([
    [{ in_stock: true, max_price: 60 }, false],
    [{ in_stock: true, max_price: 90 }, true],
    [{ in_stock: false, max_price: 60 }, true],
    [{ in_stock: true, condition: 'new' }, false],
    [{ in_stock: false, condition: 'new' }, true],
    [{ in_stock: false }, false],
    [{ condition: 'new', min_price: 80 }, false],
    [{ condition: 'used', min_price: 80, in_stock: true }, true],
  ])('%j: %s', (asked, found) => {
    const page = listPage(catalogueOf([shoe]), TENANT, asked as ListProductsRequest, true);
    if (page instanceof Refusal) throw new Error(page.message);
    expect(page.entries.length > 0).toBe(found);
  });
});

test('the order of a collection requires a collection', () => {
  const refusal = listPage(catalogueOf([]), TENANT, { sort: 'collection' }, true) as Refusal;
  expect([refusal.code, refusal.extra.param]).toEqual(['invalid_request', 'sort']);
});
