// SQL of single stock levels.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface StockRecord {
  readonly variant_id: string;
  readonly product_id: string;
  readonly on_hand: number;
  readonly held: number;
  readonly low_stock_threshold: number | null;
}

export const findStock = async (
  sql: Sql,
  { store, environment }: Tenant,
  variantId: string,
  locked = false,
): Promise<StockRecord | null> => {
  const [row] = await sql<StockRecord[]>`
    select i.variant_id, i.product_id, i.on_hand, i.held, v.low_stock_threshold
    from catalog.inventory i
    join catalog.variant v on v.store = i.store and v.environment = i.environment and v.id = i.variant_id
    where i.store = ${store} and i.environment = ${environment} and i.variant_id = ${variantId} and v.deleted_at is null
    ${locked ? sql`for update of i` : sql``}`;
  return row ?? null;
};

export interface Adjustment {
  readonly id: string;
  readonly delta: number;
  readonly onHand: number;
  readonly reason: string | null;
  readonly now: Date;
  /** Date in the store's time zone, as 2026-01-31. */
  readonly today: string;
}

export const adjustStock = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  { variant_id }: StockRecord,
  { id, delta, onHand, reason, now, today }: Adjustment,
): Promise<void> => {
  await sql`
    update catalog.inventory set on_hand = ${onHand}, revision = ${revision},
      version = version + (on_hand <> ${onHand})::integer,
      last_restocked = case when ${delta > 0} then ${today}::text::date else last_restocked end
    where store = ${store} and environment = ${environment} and variant_id = ${variant_id}`;
  await sql`
    insert into catalog.inventory_adjustment (store, environment, id, variant_id, delta, on_hand, reason, created_at)
    values (${store}, ${environment}, ${id}, ${variant_id}, ${delta}, ${onHand}, ${reason}, ${now})`;
};

export interface AdjustmentRecord {
  readonly id: string;
  readonly variant_id: string;
  readonly delta: number;
  readonly on_hand: number;
  readonly reason: string | null;
  readonly created_at: Date;
}

export const pageOfAdjustments = (
  sql: Sql,
  { store, environment }: Tenant,
  variantId: string,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
) => sql<AdjustmentRecord[]>`
  select id, variant_id, delta, on_hand, reason, created_at from catalog.inventory_adjustment
  where store = ${store} and environment = ${environment} and variant_id = ${variantId}
    ${after === null ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id})`}
  order by created_at desc, id desc limit ${limit}`;

export const forgetAdjustments = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from catalog.inventory_adjustment where ctid = any(array(
      select ctid from catalog.inventory_adjustment where created_at < ${before} limit ${limit}))`;
  return gone.count;
};
