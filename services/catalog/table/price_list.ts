// Price lists in Postgres.
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';

/** What everybody pays for one piece by the active price lists in this currency, by variant. */
export const findListPrices = async (
  sql: Sql,
  { store, environment }: Tenant,
  variantIds: readonly string[],
  currency: string,
  now: Date,
): Promise<Map<string, number>> => {
  if (variantIds.length === 0) return new Map();
  const rows = await sql<{ variant_id: string; price: number }[]>`
    select p.variant_id, min(p.price) as price
    from catalog.price_list_price p
    join catalog.price_list l on l.store = p.store and l.environment = p.environment and l.id = p.price_list_id
    where p.store = ${store} and p.environment = ${environment} and p.variant_id = any(${variantIds as string[]}::uuid[])
      and p.min_quantity = 1 and l.deleted_at is null and l.customer_group is null and l.currency = ${currency}
      and (l.starts_at is null or l.starts_at <= ${now}) and (l.ends_at is null or l.ends_at > ${now})
    group by p.variant_id`;
  return new Map(rows.map((row) => [row.variant_id, row.price]));
};
