// A catalogue in memory renders exactly as its records do, and follows every change.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedProduct, Product } from '#proto/gen/product.ts';
import { wholeList } from '#runtime/call/fragment_list.ts';
import { detailAnswer, foundAnswer, productsAnswer, specificationAnswer } from '#services/catalog/memory/answer.ts';
import { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { RANKINGS, SORTS } from '#services/catalog/memory/order.ts';
import type { CategoryRecord, ProductRecord } from '#services/catalog/product.ts';
import { detailText, frameOf } from '#services/catalog/product_text.ts';
import { PRODUCT_FRAME, productRecord, variantRecord } from '#test/support/catalog.ts';

const IDS = Array.from({ length: 6 }, (_, at) => `00000000-0000-4000-8000-00000000000${at}`);
const SHOES = '00000000-0000-4000-9000-00000000000a';
const RUNNING = '00000000-0000-4000-9000-00000000000b';

const category = (id: string, parent_id: string | null, name: string): CategoryRecord => ({
  id,
  parent_id,
  name,
  slug: name.toLowerCase(),
  description: null,
  position: null,
  translations: null,
  created_at: new Date(0),
  updated_at: new Date(0),
});
const categories = [category(SHOES, null, 'Schuhe "für" alle'), category(RUNNING, SHOES, 'Läufer')];
const categoryOf = (id: string): CategoryRecord | undefined => categories.find((known) => known.id === id);

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 30 }));
const amount = fc.option(fc.nat(10_000_000));

const variant = fc.record({
  sku: text,
  name: text,
  attributes: fc.option(fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }).map((value) => JSON.stringify(value))),
  price: amount,
  sale_price: amount,
  condition: fc.constantFrom('new', 'refurbished', 'used'),
  weight_grams: amount,
  low_stock_threshold: amount,
  thumbnail_url: fc.option(fc.webUrl()),
  media: fc.constantFrom('[]', '[{"id":"x","type":"image","url":"https://a.example/v"}]'),
  on_hand: fc.nat(20),
  held: fc.nat(20),
  last_restocked: fc.constantFrom(null, '2026-02-03'),
});

const product = fc
  .record({
    at: fc.nat(IDS.length - 1),
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    description: fc.string({ unit: 'grapheme', maxLength: 80 }),
    place: fc.constantFrom([null, null], [SHOES, null], [SHOES, RUNNING]),
    brand: text,
    tags: fc.option(fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }).map((tags) => JSON.stringify(tags))),
    media: fc.constantFrom(
      '[]',
      '[{"id":"x","type":"video","url":"https://a.example/f"},{"id":"y","type":"image","url":"https://a.example/p"}]',
    ),
    featured: fc.boolean(),
    featured_order: fc.integer({ min: -3, max: 3 }),
    average_rating: fc.constantFrom(null, 1, 3.5, 5),
    review_count: fc.nat(9),
    specifications: fc.constantFrom('[]', '[{"group":null,"name":"Größe","value":1,"unit":null}]'),
    created_at: fc.nat(3).map((day) => new Date(Date.UTC(2026, 0, 1 + day))),
    variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
    shown: fc.nat(2),
    family: fc.boolean(),
  })
  .map(({ at, place, variants, shown, family, ...fields }): ProductRecord => {
    const has_variants = family || variants.length > 1;
    return productRecord({
      ...fields,
      id: IDS[at]!,
      slug: `p-${at}`,
      category_id: place[0] as string | null,
      subcategory_id: place[1] as string | null,
      has_variants,
      variants: variants.map((own, index) =>
        variantRecord({
          ...own,
          id: `00000000-0000-4000-a00${at}-00000000000${index}`,
          is_default: index === shown % variants.length,
        }),
      ),
    });
  });

const parsed = <T>(bytes: Buffer): T => JSON.parse(bytes.toString()) as T;

const ROOT_FIELDS = [
  'variant_id',
  'sku',
  'variant_attributes',
  'variant_name',
  'is_default',
  'condition',
  'gtin',
  'mpn',
  'weight_grams',
  'dimensions_cm',
  'price',
  'sale_price',
  'selling_price',
  'stock',
] as const;

/** Derives the list shape from the detail: flat, with the default variant's data. */
const listedOf = (detail: Product): Record<string, unknown> => {
  const { variants, last_restocked: _restocked, ...root } = detail;
  const shown = variants?.find((own) => own.is_default);
  return shown ? { ...root, ...Object.fromEntries(ROOT_FIELDS.map((name) => [name, shown[name]])) } : root;
};

describe('a catalogue in memory', () => {
  test('writes every score of four decimals as JSON does', () => {
    const catalogue = new Catalogue(PRODUCT_FRAME);
    catalogue.putProducts([productRecord({ id: IDS[0]!, variants: [variantRecord({})] })]);
    const entry = catalogue.product(IDS[0]!)!;
    const scores = Array.from({ length: 10_001 }, (_, at) => at / 10_000);
    const found = foundAnswer(
      scores.map((score) => ({ entry, score })),
      catalogue,
    );
    const [product] = parsed<{ products: object[] }>(wholeList(found)).products;
    const texts = scores.map((score) => JSON.stringify({ ...product, score }));
    expect(wholeList(found).toString()).toBe(`{"products":[${texts.join(',')}]}`);
  });

  test('renders as its records do, in both shapes, after any changes', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.oneof(product, fc.nat(IDS.length - 1)), { maxLength: 4 })), (rounds) => {
        const catalogue = new Catalogue(PRODUCT_FRAME);
        catalogue.putCategories(categories, []);
        const records = new Map<string, ProductRecord>();
        for (const round of rounds) {
          const puts = new Map(round.flatMap((one) => (typeof one === 'number' ? [] : [[one.id, one] as const])));
          const gone = round.flatMap((one) => (typeof one === 'number' && !puts.has(IDS[one]!) ? IDS[one]! : []));
          catalogue.putProducts([...puts.values()]);
          catalogue.removeProducts(gone);
          for (const record of puts.values()) records.set(record.id, record);
          for (const id of gone) records.delete(id);

          expect(catalogue.size).toBe(records.size);
          for (const id of IDS) {
            const record = records.get(id);
            const entry = catalogue.product(id);
            expect(entry?.id).toBe(record?.id);
            // Any docId, and any product that had it before.
            for (let docId = 0; docId < 4; docId++) expect(catalogue.byDocId(docId, id)).toBe(entry);
            if (!record || !entry) continue;
            const detail = JSON.parse(detailText(record, categoryOf, () => null, PRODUCT_FRAME)) as Product;
            expect(parsed(detailAnswer(entry, catalogue))).toEqual(detail);
            const { products } = parsed<{ products: ListedProduct[] }>(wholeList(productsAnswer([entry], catalogue)));
            expect(products).toEqual([listedOf(detail)]);
            const found = foundAnswer(
              [0.5, 0.25].map((score) => ({ entry, score })),
              catalogue,
            );
            const { whole: _whole, ...pieced } = found;
            const fragments = wholeList(pieced);
            expect(wholeList(found).toString()).toBe(fragments.toString());
            expect(parsed(fragments)).toEqual({ products: [0.5, 0.25].map((score) => ({ ...products[0], score })) });
            expect(parsed(specificationAnswer(entry))).toEqual({ specifications: JSON.parse(record.specifications) });
            expect(catalogue.bySlug(record.slug)).toBe(entry);
            for (const own of record.variants) expect(catalogue.variant(own.id)?.entry).toBe(entry);
          }
          for (const sort of SORTS) {
            const sorted = catalogue.sorted(sort);
            expect(sorted.map((entry) => entry.id).sort()).toEqual([...records.keys()].sort());
            for (const [at, entry] of sorted.entries()) {
              if (at > 0) expect(RANKINGS[sort].compare(sorted[at - 1]!, entry)).toBeLessThan(0);
            }
          }
          for (const id of [SHOES, RUNNING]) {
            const members = [...records.values()].filter((one) => [one.category_id, one.subcategory_id].includes(id));
            expect(catalogue.countIn(id)).toBe(members.length);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('shows a renamed and a deleted category in its products', () => {
    const catalogue = new Catalogue(PRODUCT_FRAME);
    catalogue.putCategories(categories, []);
    catalogue.putProducts([productRecord({ id: IDS[0]!, category_id: SHOES, subcategory_id: RUNNING })]);
    const shown = () => parsed<Product>(detailAnswer(catalogue.product(IDS[0]!)!, catalogue));
    expect(shown()).toMatchObject({ category_name: 'Schuhe "für" alle', subcategory_name: 'Läufer' });
    catalogue.putCategories([category(SHOES, null, 'Shoes')], [RUNNING]);
    expect(shown()).toMatchObject({ category_name: 'Shoes', subcategory_id: null, subcategory_name: null });
  });

  test('renews products for a renamed, replaced or deleted category, and for no other write', () => {
    const catalogue = new Catalogue(PRODUCT_FRAME);
    catalogue.putCategories(categories, []);
    const [inside, below, beside] = [IDS[0]!, IDS[1]!, IDS[2]!];
    catalogue.putProducts([
      productRecord({ id: inside, category_id: SHOES, subcategory_id: null }),
      productRecord({ id: below, category_id: SHOES, subcategory_id: RUNNING }),
      productRecord({ id: beside, category_id: null, subcategory_id: null }),
    ]);
    const fragments = () => [inside, below, beside].map((id) => catalogue.fragmentOf(catalogue.product(id)!));
    const changedBy = (write: () => void): boolean[] => {
      const before = fragments();
      write();
      return fragments().map((fragment, at) => fragment !== before[at]);
    };
    // Every pull and push repeats known categories.
    expect(changedBy(() => catalogue.putCategories(categories, []))).toEqual([false, false, false]);
    expect(changedBy(() => catalogue.putCategories([], []))).toEqual([false, false, false]);
    expect(changedBy(() => catalogue.putCategories([], ['00000000-0000-4000-c000-000000000009']))).toEqual([
      false,
      false,
      false,
    ]);
    expect(changedBy(() => catalogue.putCategories([category(SHOES, null, 'Footwear')], []))).toEqual([
      true,
      true,
      false,
    ]);
    expect(changedBy(() => catalogue.putCategories([], [RUNNING]))).toEqual([false, true, false]);
  });

  test('applies stock levels and list prices without other changes', () => {
    const catalogue = new Catalogue(PRODUCT_FRAME);
    const record = productRecord({ variants: [variantRecord({ price: 1000 })] });
    const { id } = record.variants[0]!;
    catalogue.putProducts([record, productRecord()]);
    const before = parsed<Product>(detailAnswer(catalogue.product(record.id)!, catalogue));
    expect(catalogue.sorted('price_asc')[0]?.id).toBe(record.id);
    catalogue.putLevels([
      { variant_id: id, on_hand: 9, version: 2, allocated: 0, held: 2, last_restocked: '2026-05-05' },
    ]);
    const list = { id: 'l', currency: 'USD', group: null, startsAt: 100, endsAt: 200 };
    const lists = [{ ...list, prices: [{ variant_id: id, min_quantity: 1, price: 3000 }] }];
    catalogue.putPriceLists(lists, 0);
    expect(catalogue.pricesChangeAt).toBe(100);
    catalogue.putPriceLists([{ ...list, prices: [{ variant_id: id, min_quantity: 1, price: 900 }] }], 150);
    expect(parsed(detailAnswer(catalogue.product(record.id)!, catalogue))).toEqual({
      ...before,
      stock: 7,
      last_restocked: '2026-05-05',
      selling_price: 9,
    });
    expect(catalogue.pricesChangeAt).toBe(200);
    catalogue.reprice(200);
    expect(parsed<Product>(detailAnswer(catalogue.product(record.id)!, catalogue)).selling_price).toBe(10);
  });

  test('renews a product’s fragment whenever its list text changes, and only then', () => {
    const list = { id: 'l', currency: 'USD', group: null, startsAt: 100, endsAt: 200 };
    const change = fc.oneof(
      product.map((record) => (catalogue: Catalogue) => catalogue.putProducts([record])),
      fc.tuple(fc.nat(IDS.length - 1), fc.nat(2), fc.nat(20)).map(([at, index, on_hand]) => (catalogue: Catalogue) => {
        const variant_id = `00000000-0000-4000-a00${at}-00000000000${index}`;
        const held = catalogue.variant(variant_id)?.held ?? 0;
        catalogue.putLevels([{ ...variantRecord(), variant_id, on_hand, held, last_restocked: null }]);
      }),
      fc.string({ maxLength: 5 }).map((name) => (catalogue: Catalogue) => {
        catalogue.putCategories([category(SHOES, null, name)], []);
      }),
      fc.constant((catalogue: Catalogue) => catalogue.putCategories([], [RUNNING])),
      fc
        .tuple(fc.nat(IDS.length - 1), fc.nat(2), fc.nat(5_000), fc.nat(300))
        .map(([at, index, price, now]) => (catalogue: Catalogue) => {
          const variant_id = `00000000-0000-4000-a00${at}-00000000000${index}`;
          const asked = { variant_id, min_quantity: 1, price };
          catalogue.putPriceLists([{ ...list, prices: [asked] }], now);
        }),
      fc.nat(300).map((now) => (catalogue: Catalogue) => catalogue.reprice(now)),
      fc.constantFrom('$', '€').map((symbol) => (catalogue: Catalogue) => {
        catalogue.reframe(frameOf(PRODUCT_FRAME.currency, symbol, 5), 0);
      }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const catalogue = new Catalogue(PRODUCT_FRAME);
        catalogue.putCategories(categories, []);
        /** The fragments that an edge has after seeing every list. */
        const held = new Map<number, string>();
        for (const apply of changes) {
          apply(catalogue);
          const entries = catalogue.sorted('name');
          const { names, fragment } = productsAnswer(entries, catalogue);
          for (const [at, name] of names.entries()) {
            const fresh = Buffer.from(fragment(at)).toString();
            expect(held.get(name) ?? fresh).toBe(fresh);
            held.set(name, fresh);
          }
          expect(productsAnswer(entries, catalogue).names).toEqual(names);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('releases memory: a thousand changes of one product take no more than one', () => {
    const catalogue = new Catalogue(PRODUCT_FRAME);
    const description = 'x'.repeat(10_000);
    for (let round = 0; round < 1_000; round++) catalogue.putProducts([productRecord({ id: IDS[0]!, description })]);
    expect(catalogue.bytes).toBeLessThan(50_000);
    catalogue.putProducts(Array.from({ length: 100 }, () => productRecord({ description })));
    for (const { id } of [...catalogue.sorted('newest')].slice(10)) catalogue.removeProducts([id]);
    catalogue.putProducts([productRecord()]);
    expect(catalogue.bytes).toBeLessThan(1_000_000);
  });
});
