// SQL of product lists: ids in the order of a sort, by conditions that every product of the list meets. The conditions may
// let other products pass too, where SQL compares texts or prices otherwise than the list does.
import type { ListProductsRequest } from '#proto/gen/catalog.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql, SqlFragment } from '#runtime/postgres/sql.ts';
import { nameKey } from '#values/text.ts';

/** Sorts that Postgres has an order for. Names sort by a key that it cannot compute. */
export type StoredSort = 'newest' | 'price_asc' | 'price_desc' | 'featured' | 'rating';

/** The position of a product in the order, all parts descending. */
export interface StoredPosition {
  readonly keys: readonly number[];
  readonly createdAt: Date;
  readonly id: string;
}

/** Last of a price's order: the value stands for no price. */
const NO_PRICE_ASC = Number.MAX_SAFE_INTEGER;
const NO_PRICE_DESC = -1;

export const priceKey = (sort: 'price_asc' | 'price_desc', selling: number | null): number =>
  sort === 'price_asc' ? -(selling ?? NO_PRICE_ASC) : (selling ?? NO_PRICE_DESC);

export interface StoredList {
  readonly sort: StoredSort;
  readonly after: StoredPosition | null;
  readonly request: ListProductsRequest;
  readonly isActiveOnly: boolean;
  readonly lowStockThreshold: number;
  /** Currency of the price lists that apply. */
  readonly currency: string;
  /** Least and highest base price in the currency's smallest unit; null where the shown prices are other ones. */
  readonly prices: { readonly min: number; readonly max: number } | null;
  readonly now: Date;
}

interface KeyColumn {
  readonly expression: string;
  readonly type: 'integer' | 'float8' | 'numeric' | 'bigint';
}

/** Expressions that the indexes of lists have, too. */
const KEY_COLUMNS: Readonly<Record<StoredSort, readonly KeyColumn[]>> = {
  newest: [],
  featured: [
    { expression: 'featured::integer', type: 'integer' },
    { expression: 'case when featured then -featured_order else 0 end', type: 'float8' },
  ],
  rating: [
    { expression: 'coalesce(average_rating, 0)', type: 'numeric' },
    { expression: 'review_count', type: 'integer' },
  ],
  price_asc: [{ expression: `-coalesce(selling, ${NO_PRICE_ASC})`, type: 'bigint' }],
  price_desc: [{ expression: `coalesce(selling, ${NO_PRICE_DESC})`, type: 'bigint' }],
};

/** `least` ignores null, as the selling price does. */
const BASE = 'least(v.price, v.sale_price)';

const OUTSIDE_OF_ASCII = '[^\\x01-\\x7f]';
const PLAIN_KEY = /^[a-z0-9 _.-]+$/;

/** True of each text that has the key in some letter case, and of texts that SQL cannot compare. */
const hasText = (sql: Sql, column: string, key: string, before: string, after: string): SqlFragment => {
  const text = sql`(${sql.unsafe(column)} collate "C")`;
  if (!PLAIN_KEY.test(key)) return sql`${text} is not null`;
  const pattern = `${before}${key.replaceAll(/[\\%_]/g, '\\$&')}${after}`;
  return sql`(lower(${text}) like ${pattern} or ${text} ~ ${OUTSIDE_OF_ASCII})`;
};

const ofTenant = (sql: Sql, { store, environment }: Tenant, table: string): SqlFragment =>
  sql`${sql.unsafe(table)}.store = ${store} and ${sql.unsafe(table)}.environment = ${environment}`;

const variantConditions = (sql: Sql, tenant: Tenant, list: StoredList): SqlFragment[] => {
  const { request, prices, lowStockThreshold } = list;
  const variants = sql`
    select from catalog.variant v where ${ofTenant(sql, tenant, 'v')} and v.product_id = p.id and v.deleted_at is null`;
  const stocked = sql`exists (
    select from catalog.inventory i
    where ${ofTenant(sql, tenant, 'i')} and i.variant_id = v.id and i.on_hand > i.held)`;
  const wanted = [
    ...(request.condition === undefined ? [] : [sql`and v.condition = ${request.condition}`]),
    ...(prices === null ? [] : [sql`and coalesce(${sql.unsafe(BASE)}, ${NO_PRICE_ASC}) >= ${prices.min}`]),
    // A price list may lower any price.
    ...(prices === null || prices.max === Number.POSITIVE_INFINITY
      ? []
      : [
          sql`and (${sql.unsafe(BASE)} <= ${prices.max} or exists (
            select from catalog.price_list_price l where ${ofTenant(sql, tenant, 'l')} and l.variant_id = v.id))`,
        ]),
  ];
  const all = wanted.reduce((before, condition) => sql`${before} ${condition}`, sql``);
  const found: SqlFragment[] = [];
  if (request.in_stock === true) found.push(sql`exists (${variants} ${all} and ${stocked})`);
  else if (request.in_stock === false) found.push(sql`exists (${variants} ${all} and not ${stocked})`);
  else if (wanted.length > 0) found.push(sql`exists (${variants} ${all})`);
  if (request.low_stock !== undefined) {
    const low = sql`exists (
      ${variants} and coalesce((
        select greatest(0, i.on_hand - i.held) from catalog.inventory i
        where ${ofTenant(sql, tenant, 'i')} and i.variant_id = v.id
      ), 0) < coalesce(v.low_stock_threshold, ${lowStockThreshold}))`;
    found.push(request.low_stock ? low : sql`not ${low}`);
  }
  if (request.search !== undefined) {
    const key = nameKey(request.search);
    found.push(sql`(${hasText(sql, 'p.name', key, '%', '%')}
      or exists (${variants} and ${hasText(sql, 'v.sku', key, '', '%')}))`);
  }
  return found;
};

const conditions = (sql: Sql, tenant: Tenant, list: StoredList): SqlFragment[] => {
  const { request, isActiveOnly } = list;
  const { category_id, subcategory_id, brand, tag, featured, is_active } = request;
  return [
    ...(isActiveOnly ? [sql`p.is_active`] : []),
    ...(is_active === undefined ? [] : [sql`p.is_active = ${is_active}`]),
    ...(category_id === undefined ? [] : [sql`p.category_id = ${category_id}`]),
    ...(subcategory_id === undefined ? [] : [sql`p.subcategory_id = ${subcategory_id}`]),
    ...(featured === undefined ? [] : [featured ? sql`p.featured` : sql`not p.featured`]),
    ...(brand === undefined ? [] : [hasText(sql, 'p.brand', nameKey(brand), '', '')]),
    ...(tag === undefined ? [] : [hasText(sql, 'p.tags::text', nameKey(tag), '%', '%')]),
    ...variantConditions(sql, tenant, list),
  ];
};

/** Products with the price that their default variant sells at, which the sorts by price compare. */
const pricedProducts = (sql: Sql, tenant: Tenant, { currency, now }: StoredList): SqlFragment => sql`(
  select p.*, least(v.price, v.sale_price, l.price) as selling
  from catalog.product p
  left join catalog.variant v on ${ofTenant(sql, tenant, 'v')} and v.product_id = p.id and v.is_default
    and v.deleted_at is null
  left join (
    select price.variant_id, min(price.price) as price
    from catalog.price_list list
    join catalog.price_list_price price on ${ofTenant(sql, tenant, 'price')} and price.price_list_id = list.id
    where ${ofTenant(sql, tenant, 'list')} and list.deleted_at is null and list.customer_group is null
      and list.currency = ${currency} and price.min_quantity = 1
      and (list.starts_at is null or list.starts_at <= ${now}) and (list.ends_at is null or list.ends_at > ${now})
    group by price.variant_id
  ) as l on l.variant_id = v.id
  where ${ofTenant(sql, tenant, 'p')} and p.deleted_at is null)`;

/** Returns ids in the order of the sort, after the list's position and `skipped` more. */
export const pageOfIds = async (
  sql: Sql,
  tenant: Tenant,
  list: StoredList,
  skipped: number,
  limit: number,
): Promise<string[]> => {
  const isPriced = list.sort === 'price_asc' || list.sort === 'price_desc';
  const source = isPriced ? pricedProducts(sql, tenant, list) : sql`catalog.product`;
  const columns = KEY_COLUMNS[list.sort];
  const keys = [...columns.map(({ expression }) => expression), 'created_at', 'id'];
  const { after } = list;
  const values = after && [
    ...columns.map(({ type }, at) => sql`${after.keys[at]!}::${sql.unsafe(type)}`),
    sql`${after.createdAt}`,
    sql`${after.id}::uuid`,
  ];
  const position = values?.reduce((before, value) => sql`${before}, ${value}`);
  const rows = await sql<{ id: string }[]>`
    select id from ${source} as p
    where ${ofTenant(sql, tenant, 'p')} and p.deleted_at is null
      ${position ? sql`and (${sql.unsafe(keys.join(', '))}) < (${position})` : sql``}
      ${conditions(sql, tenant, list).reduce((before, condition) => sql`${before} and ${condition}`, sql``)}
    order by ${sql.unsafe(keys.map((key) => `${key} desc`).join(', '))} offset ${skipped} limit ${limit}`;
  return rows.map(({ id }) => id);
};
