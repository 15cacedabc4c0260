// SQL that writes products, variants and stock levels, many in one statement.

import type { ProductRating } from '#proto/gen/review.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type ProductRecord, sameVariant, type VariantRecord } from '#services/catalog/product.ts';
import { nameKey } from '#values/text.ts';

export const saveRatings = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  ratings: readonly ProductRating[],
): Promise<string[]> => {
  const changed = await sql<{ id: string }[]>`
    update catalog.product as p
    set average_rating = given.average::numeric, review_count = given.reviews, revision = ${revision}
    from unnest(${ratings.map(({ product_id }) => product_id)}::uuid[],
      ${ratings.map(({ average_rating }) => average_rating?.toFixed(1) ?? null)}::text[],
      ${ratings.map(({ review_count }) => review_count)}::integer[]) as given (id, average, reviews)
    where p.store = ${store} and p.environment = ${environment} and p.id = given.id and p.deleted_at is null
      and (p.average_rating, p.review_count) is distinct from (given.average::numeric, given.reviews)
    returning p.id`;
  return changed.map(({ id }) => id);
};

export interface ProductChange {
  readonly before: ProductRecord | null;
  readonly after: ProductRecord;
}

/** Returns product ids by `nameKey` of the article number; letter case does not matter. */
export const findSkus = async (
  sql: Sql,
  { store, environment }: Tenant,
  skus: readonly string[],
): Promise<Map<string, string>> => {
  if (skus.length === 0) return new Map();
  const rows = await sql<{ sku: string; product_id: string }[]>`
    select sku, product_id from unnest(${[...new Set(skus.map(nameKey))]}::text[]) as wanted cross join lateral (
      select sku, product_id from catalog.variant
      where store = ${store} and environment = ${environment} and deleted_at is null and lower(sku) = lower(wanted) offset 0
    ) as variant`;
  return new Map(rows.map((row) => [nameKey(row.sku), row.product_id]));
};

const PRODUCT_COLUMNS = {
  id: 'uuid',
  external_id: 'text',
  slug: 'text',
  name: 'text',
  description: 'text',
  category_id: 'uuid',
  subcategory_id: 'uuid',
  brand: 'text',
  thumbnail_url: 'text',
  media: 'json',
  seo_title: 'text',
  seo_description: 'text',
  seo_keywords: 'json',
  featured: 'boolean',
  featured_order: 'double precision',
  tags: 'json',
  google_product_category: 'text',
  meta_product_category: 'text',
  attributes: 'json',
  shipping_info: 'json',
  specifications: 'json',
  translations: 'json',
  is_active: 'boolean',
  has_variants: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  published_at: 'timestamptz',
} as const satisfies Partial<Record<keyof ProductRecord, string>>;

const VARIANT_COLUMNS = {
  id: 'uuid',
  product_id: 'uuid',
  position: 'integer',
  is_default: 'boolean',
  sku: 'text',
  name: 'text',
  attributes: 'json',
  price: 'bigint',
  sale_price: 'bigint',
  condition: 'text',
  gtin: 'text',
  mpn: 'text',
  weight_grams: 'integer',
  dimensions_cm: 'text',
  low_stock_threshold: 'integer',
  thumbnail_url: 'text',
  media: 'json',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

const LEVEL_COLUMNS = { variant_id: 'uuid', product_id: 'uuid', on_hand: 'integer', last_restocked: 'date' } as const;

type Columns = Readonly<Record<string, string>>;

const names = (columns: Columns): string => Object.keys(columns).join(', ');
const definitions = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');
const assignments = (columns: Columns): string =>
  Object.keys(columns)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ');

// Parameters: $1 store, $2 environment, $3 revision, then JSON arrays of rows.
const SAVE = `
  with products as (
    insert into catalog.product (store, environment, revision, ${names(PRODUCT_COLUMNS)})
    select $1::uuid, $2, $3::bigint, ${names(PRODUCT_COLUMNS)}
    from json_to_recordset($4::text::json) as row (${definitions(PRODUCT_COLUMNS)})
    on conflict (store, environment, id) do update set ${assignments(PRODUCT_COLUMNS)}, revision = excluded.revision
  ), variants as (
    insert into catalog.variant (store, environment, ${names(VARIANT_COLUMNS)})
    select $1::uuid, $2, ${names(VARIANT_COLUMNS)}
    from json_to_recordset($5::text::json) as row (${definitions(VARIANT_COLUMNS)})
    on conflict (store, environment, id) do update set ${assignments(VARIANT_COLUMNS)}
  ), levels as (
    insert into catalog.inventory (store, environment, revision, ${names(LEVEL_COLUMNS)})
    select $1::uuid, $2, $3::bigint, ${names(LEVEL_COLUMNS)}
    from json_to_recordset($6::text::json) as row (${definitions(LEVEL_COLUMNS)})
    order by variant_id
    on conflict (store, environment, variant_id) do update set ${assignments(LEVEL_COLUMNS)},
      revision = excluded.revision,
      version = inventory.version + (inventory.on_hand <> excluded.on_hand)::integer
    returning variant_id, version, allocated
  ), revised as (
    update catalog.revision set revision = $3::bigint, changed_at = now()
    where store = $1::uuid and environment = $2
  )
  select variant_id, version, allocated from levels`;

/**
 * Saves products in a transaction that holds the revision's lock. Returns them with the versions and allocations of
 * their stock levels.
 */
export const saveProducts = async (
  sql: Sql,
  tenant: Tenant,
  revision: number,
  changes: readonly ProductChange[],
): Promise<ProductRecord[]> => {
  const products: string[] = [];
  const variants: string[] = [];
  const levels: string[] = [];
  const gone: string[] = [];
  for (const { before, after } of changes) {
    products.push(rowText(after, PRODUCT_COLUMNS));
    const old = new Map(before?.variants.map((variant, position) => [variant.id, { variant, position }]));
    for (const [position, variant] of after.variants.entries()) {
      const was = old.get(variant.id);
      old.delete(variant.id);
      if (!was || was.position !== position || !sameVariant(was.variant, variant)) {
        const row = { ...variant, product_id: after.id, position, updated_at: after.updated_at };
        variants.push(rowText(row, VARIANT_COLUMNS));
      }
      if (!was || was.variant.on_hand !== variant.on_hand) {
        levels.push(rowText({ ...variant, variant_id: variant.id, product_id: after.id }, LEVEL_COLUMNS));
      }
    }
    gone.push(...old.keys());
  }
  // Deletes old variants before saving, because new ones may reuse their article numbers.
  if (gone.length > 0) await deleteVariants(sql, tenant, gone);
  const written = await sql.unsafe<({ variant_id: string } & Pick<VariantRecord, 'version' | 'allocated'>)[]>(
    SAVE,
    [tenant.store, tenant.environment, revision, `[${products}]`, `[${variants}]`, `[${levels}]`],
    { prepare: true },
  );
  const levelOf = new Map(written.map(({ variant_id, ...level }) => [variant_id, level]));
  return changes.map(({ after }) => ({
    ...after,
    variants: after.variants.map((variant) => ({ ...variant, ...levelOf.get(variant.id) })),
  }));
};

/** Renders a row as JSON; JSON documents are inserted as they are, not encoded again as strings. */
const rowText = (record: object, columns: Columns): string => {
  let text = '';
  for (const name in columns) {
    const value = (record as Record<string, unknown>)[name];
    if (value === null) continue;
    text += `${text === '' ? '' : ','}"${name}":${columns[name] === 'json' ? value : JSON.stringify(value)}`;
  }
  return `{${text}}`;
};

const deleteVariants = async (sql: Sql, { store, environment }: Tenant, ids: readonly string[]): Promise<void> => {
  await sql`
    update catalog.variant set deleted_at = now()
    where store = ${store} and environment = ${environment} and id = any(${ids as string[]}::uuid[])`;
};

export const deleteProduct = async (
  sql: Sql,
  tenant: Tenant,
  revision: number,
  product: ProductRecord,
): Promise<void> => {
  await deleteVariants(
    sql,
    tenant,
    product.variants.map((variant) => variant.id),
  );
  await sql`
    update catalog.product set deleted_at = now(), revision = ${revision}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${product.id}`;
};

const missing =
  (table: string) =>
  async (sql: Sql, { store, environment }: Tenant, ids: readonly string[]): Promise<Set<string>> => {
    if (ids.length === 0) return new Set();
    const rows = await sql<{ id: string }[]>`
      select id from ${sql(table)}
      where store = ${store} and environment = ${environment} and deleted_at is null
        and id = any(${ids as string[]}::uuid[])`;
    const found = new Set(rows.map((row) => row.id));
    return new Set(ids.filter((id) => !found.has(id)));
  };

export const missingProducts = missing('catalog.product');

export const missingVariants = missing('catalog.variant');

export const hasProducts = async (
  sql: Sql,
  { store, environment }: Tenant,
): Promise<{ any: boolean; active: boolean }> => {
  const live = sql`
    select from catalog.product where store = ${store} and environment = ${environment} and deleted_at is null`;
  const [row] = await sql<{ any: boolean; active: boolean }[]>`
    select exists (${live}) as any, exists (${live} and is_active) as active`;
  return row!;
};
