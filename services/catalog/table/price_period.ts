// SQL of the periods in which prices applied. Each is written in the transaction of the change that begins or ends it,
// which holds the tenant's revision.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { PricePeriod } from '#services/catalog/price_timeline.ts';
import type { ProductRecord, VariantRecord } from '#services/catalog/product.ts';
import { sellingPrice } from '#services/catalog/product_text.ts';
import type { PriceListRecord } from './price_list.ts';

/** In place of the price list's id in the periods of products' own prices. */
const OWN = '00000000-0000-0000-0000-000000000000';

interface OwnChange {
  readonly product_id: string;
  readonly variant_id: string;
  readonly price: number | null;
  readonly selling_price: number | null;
  /** False: shoppers no longer see the variant. */
  readonly shown: boolean;
}

const sellingOf = ({ price, sale_price }: VariantRecord): number | null => sellingPrice(price, sale_price, null);

const ownChanges = (before: ProductRecord | null, after: ProductRecord): OwnChange[] => {
  const was = new Map(before?.is_active ? before.variants.map((variant) => [variant.id, variant]) : []);
  const changes: OwnChange[] = [];
  const hidden: OwnChange = { product_id: after.id, variant_id: '', price: null, selling_price: null, shown: false };
  for (const variant of after.is_active ? after.variants : []) {
    const [old, selling_price] = [was.get(variant.id), sellingOf(variant)];
    was.delete(variant.id);
    if (old && old.price === variant.price && sellingOf(old) === selling_price) continue;
    changes.push({ ...hidden, variant_id: variant.id, price: variant.price, selling_price, shown: true });
  }
  for (const variant_id of was.keys()) changes.push({ ...hidden, variant_id });
  return changes;
};

export interface PriceChange {
  readonly before: ProductRecord | null;
  readonly after: ProductRecord;
}

/** Ends the periods of the prices that the changes replace, and begins those of the new ones. */
export const recordOwnPrices = async (
  sql: Sql,
  { store, environment }: Tenant,
  changes: readonly PriceChange[],
  currency: string,
  now: Date,
): Promise<void> => {
  const rows = changes.flatMap(({ before, after }) => ownChanges(before, after));
  if (rows.length === 0) return;
  // Several changes within a millisecond leave the last one: the row that began now is replaced.
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as row (product_id uuid, variant_id uuid, price bigint, selling_price bigint, shown boolean)
    ), ended as (
      update catalog.price_period as p set ends_at = ${now} from given
      where p.store = ${store} and p.environment = ${environment} and p.product_id = given.product_id
        and p.variant_id = given.variant_id and p.price_list_id = ${OWN}::uuid
        and p.starts_at < ${now} and (p.ends_at is null or p.ends_at > ${now})
    ), undone as (
      delete from catalog.price_period as p using given
      where p.store = ${store} and p.environment = ${environment} and p.product_id = given.product_id
        and p.variant_id = given.variant_id and p.price_list_id = ${OWN}::uuid
        and (p.starts_at > ${now} or (p.starts_at = ${now} and not given.shown))
    )
    insert into catalog.price_period
      (store, environment, product_id, variant_id, price_list_id, currency, price, selling_price, starts_at)
    select ${store}, ${environment}, product_id, variant_id, ${OWN}::uuid, ${currency}, price, selling_price, ${now}
    from given where shown
    on conflict (store, environment, product_id, variant_id, price_list_id, starts_at) do update
      set currency = excluded.currency, price = excluded.price, selling_price = excluded.selling_price, ends_at = null`;
};

/** Records the prices of a saved list for one unit and everybody. `list` is null once it is deleted. */
export const recordListPrices = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  list: PriceListRecord | null,
  now: Date,
): Promise<void> => {
  const applies = list !== null && list.customer_group === null && (list.ends_at === null || list.ends_at > now);
  const isAhead = list?.starts_at != null && list.starts_at > now;
  // The literal lets Postgres use the partial index of lists' periods, which a parameter would not.
  const ofList = sql`
    period.store = ${store} and period.environment = ${environment} and period.price_list_id = ${id}
    and period.price_list_id <> '00000000-0000-0000-0000-000000000000'`;
  const isSame = sql`exists (
    select from catalog.price_list_price p
    where p.store = ${store} and p.environment = ${environment} and p.price_list_id = ${id} and p.min_quantity = 1
      and p.variant_id = period.variant_id and p.price = period.price)`;
  await sql`delete from catalog.price_period as period where ${ofList} and period.starts_at >= ${now}`;
  await sql`
    update catalog.price_period as period
    set ends_at = case when ${applies && !isAhead} and period.currency = ${list?.currency ?? ''} and ${isSame}
      then ${list?.ends_at ?? null}::timestamptz else ${now} end
    where ${ofList} and period.starts_at < ${now} and (period.ends_at is null or period.ends_at > ${now})`;
  if (!applies) return;
  await sql`
    insert into catalog.price_period
      (store, environment, product_id, variant_id, price_list_id, currency, price, selling_price, starts_at, ends_at)
    select ${store}, ${environment}, v.product_id, v.id, ${id}, ${list.currency}, p.price, p.price,
      ${isAhead ? list.starts_at : now}, ${list.ends_at}
    from catalog.price_list_price p
    join catalog.variant v on v.store = p.store and v.environment = p.environment and v.id = p.variant_id
    where p.store = ${store} and p.environment = ${environment} and p.price_list_id = ${id} and p.min_quantity = 1
      and not exists (
        select from catalog.price_period as period
        where ${ofList} and period.variant_id = p.variant_id and period.starts_at < ${now}
          and (period.ends_at is null or period.ends_at > ${now}))`;
};

const columns = (sql: Sql) => sql`
  period.product_id, period.variant_id, nullif(period.price_list_id, ${OWN}::uuid) as price_list_id, period.currency,
  period.price, period.selling_price, period.starts_at, period.ends_at`;

/** Reads the newest periods of each variant, at most `limit` of one. */
export const periodsOfVariants = (
  sql: Sql,
  { store, environment }: Tenant,
  variants: readonly { readonly product_id: string; readonly variant_id: string }[],
  limit: number,
): Promise<PricePeriod[]> => sql<PricePeriod[]>`
  select ${columns(sql)}
  from unnest(${variants.map(({ product_id }) => product_id)}::uuid[],
    ${variants.map(({ variant_id }) => variant_id)}::uuid[]) as wanted (product_id, variant_id)
  cross join lateral (
    select * from catalog.price_period
    where store = ${store} and environment = ${environment} and product_id = wanted.product_id
      and variant_id = wanted.variant_id
    order by starts_at desc limit ${limit}
  ) as period`;

/** Reads the periods of a product, or of one of its variants, that have begun; at most `limit`. */
export const periodsOfProduct = (
  sql: Sql,
  { store, environment }: Tenant,
  { product, variant }: { readonly product: string; readonly variant: string | null },
  now: Date,
  limit: number,
): Promise<PricePeriod[]> => sql<PricePeriod[]>`
  select ${columns(sql)} from catalog.price_period as period
  where store = ${store} and environment = ${environment} and product_id = ${product}
    ${variant === null ? sql`` : sql`and variant_id = ${variant}`}
    and starts_at <= ${now}
  limit ${limit}`;

/** Deletes periods that ended before the time; the one in force at that time stays. */
export const forgetPricePeriods = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from catalog.price_period where ctid = any(array(
      select ctid from catalog.price_period where ends_at < ${before} limit ${limit}))`;
  return gone.count;
};
