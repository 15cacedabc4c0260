// Draws random catalogues and writes them to Postgres as the catalogue's own SQL does, without rpc.
import fc from 'fast-check';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ProductRecord, VariantRecord } from '#services/catalog/product.ts';
import { insertCategory } from '#services/catalog/table/category.ts';
import { insertCollection, setMembers } from '#services/catalog/table/collection.ts';
import { savePriceList } from '#services/catalog/table/price_list.ts';
import { deleteProduct, saveProducts, saveRatings } from '#services/catalog/table/product.ts';
import { nextRevision, setRevision } from '#services/catalog/table/revision.ts';
import { productRecord, variantRecord } from '#test/support/catalog.ts';

export const uuidOf = (kind: number, at: number): string =>
  `00000000-0000-4000-8${kind}00-${String(at).padStart(12, '0')}`;

export const CATEGORIES = [0, 1, 2].map((at) => uuidOf(1, at));
export const COLLECTION = uuidOf(3, 0);
export const HIDDEN_COLLECTION = uuidOf(3, 1);
export const productId = (at: number): string => uuidOf(4, at);
export const variantId = (product: number, at: number): string => uuidOf(5, product * 10 + at);

const few = <const T>(...values: T[]) => fc.constantFrom(...values);

const price = fc.option(fc.nat(6).map((units) => units * 500));

/** Few values, so that ties and matches are common. */
const variant = fc.record({
  price,
  sale_price: price,
  on_hand: fc.nat(2),
  condition: few('new', 'used', 'refurbished'),
  low_stock_threshold: few(null, 0, 1, 2),
  name: few(null, 'Large'),
  last_restocked: few(null, '2026-02-03'),
}) satisfies fc.Arbitrary<Partial<VariantRecord>>;

const product = fc.record({
  name: few('Alpha', 'alpha', 'Ärmel', 'armel b', 'Beta', 'beta', '日本', 'Zulu', '\u{1f600} smile', '\ufb01ne'),
  description: few('', '<b>Whole</b> "text"'),
  /** A category that was deleted is the last but one, a subcategory with its parent the last. */
  category: few(
    { category_id: null, subcategory_id: null },
    { category_id: CATEGORIES[0]!, subcategory_id: null },
    { category_id: CATEGORIES[1]!, subcategory_id: null },
    { category_id: uuidOf(1, 9), subcategory_id: null },
    { category_id: CATEGORIES[0]!, subcategory_id: CATEGORIES[2]! },
  ),
  brand: few(null, 'Acme', 'ACME', 'Éclair', 'ÉCLAIR', 'I\u0307'),
  tags: few(null, '[]', '["New"]', '["new","Sale"]', '["ÉTÉ"]'),
  featured: fc.boolean(),
  featured_order: few(0, 1, 2, 1.5, -1),
  is_active: few(true, true, true, false),
  average_rating: few(null, 3.5, 5),
  review_count: few(0, 1, 7),
  created_at: fc.nat(3).map((day) => new Date(Date.UTC(2026, 0, 1 + day))),
  translations: few(null, '{"de":{"name":"Übersetzt","description":"Text"}}'),
  variants: fc.array(variant, { minLength: 1, maxLength: 3 }),
  skus: few(null, 'AB-1', 'ab-2', 'ZZ'),
  deleted: few(false, false, false, true),
});

const list = fc.record({
  currency: few('USD', 'USD', 'JPY'),
  customer_group: few(null, null, 'trade'),
  starts: few(null, -1, 1),
  prices: fc.array(
    fc.record({ product: fc.nat(24), variant: fc.nat(2), min_quantity: few(1, 1, 5), price: few(0, 250, 900, 2000) }),
    { maxLength: 12 },
  ),
});

export const randomCatalogue = fc.record({
  products: fc.array(product, { minLength: 12, maxLength: 25, size: 'max' }),
  members: fc.uniqueArray(fc.nat(30), { maxLength: 10 }),
  lists: fc.array(list, { maxLength: 3 }),
});

type RandomCatalogue = typeof randomCatalogue extends fc.Arbitrary<infer T> ? T : never;

const recordOf = (at: number, given: RandomCatalogue['products'][number]): ProductRecord => {
  const { variants, skus, category, deleted: _deleted, ...fields } = given;
  return productRecord({
    ...fields,
    ...category,
    id: productId(at),
    slug: `p-${at}`,
    has_variants: variants.length > 1,
    variants: variants.map((own, index) =>
      variantRecord({
        ...own,
        id: variantId(at, index),
        is_default: index === variants.length - 1,
        sku: skus && `${skus}-${at}-${index}`,
      }),
    ),
  });
};

const DAY_MS = 86_400_000;

/** Writes the catalogue in one revision. `now` is the tenant's time. */
export const writeCatalogue = async (
  sql: Sql,
  tenant: Tenant,
  { products, members, lists }: RandomCatalogue,
  now: Date,
): Promise<void> => {
  const revision = await nextRevision(sql, tenant);
  const shared = { description: '', created_at: now, updated_at: now, translations: null };
  for (const [at, id] of CATEGORIES.entries())
    await insertCategory(sql, tenant, revision, {
      ...shared,
      id,
      parent_id: at === 2 ? CATEGORIES[0]! : null,
      name: `Category ${at}`,
      slug: `category-${at}`,
      position: null,
      translations: at === 1 ? { de: { name: 'Gattung' } } : null,
    });
  const records = products.map((each, at) => recordOf(at, each));
  await saveProducts(
    sql,
    tenant,
    revision,
    records.map((after) => ({ before: null, after })),
  );
  await saveRatings(
    sql,
    tenant,
    revision,
    records.map(({ id, average_rating, review_count }) => ({ product_id: id, average_rating, review_count })),
  );
  for (const [at, id] of [COLLECTION, HIDDEN_COLLECTION].entries()) {
    await insertCollection(sql, tenant, revision, {
      ...shared,
      id,
      name: `Collection ${at}`,
      slug: `collection-${at}`,
      collection_type: 'custom',
      is_active: at === 0,
      show_on_homepage: false,
      display_priority: 0,
      image: null,
      image_mobile: null,
      video: null,
      updated_at: now,
    });
    await setMembers(sql, tenant, id, members.map(productId));
  }
  for (const [at, { starts, prices, ...given }] of lists.entries()) {
    const unique = new Map(prices.map((each) => [`${each.product} ${each.variant} ${each.min_quantity}`, each]));
    await savePriceList(
      sql,
      tenant,
      revision,
      {
        ...given,
        id: uuidOf(6, at),
        name: `List ${at}`,
        starts_at: starts === null ? null : new Date(now.getTime() + starts * DAY_MS),
        ends_at: null,
        created_at: now,
        updated_at: now,
        prices: Array.from(unique.values(), ({ product, variant, min_quantity, price }) => ({
          variant_id: variantId(product, variant),
          min_quantity,
          price,
        })),
      },
      true,
    );
  }
  for (const [at, record] of records.entries())
    if (products[at]!.deleted) await deleteProduct(sql, tenant, revision, record);
  await setRevision(sql, tenant, revision);
};
