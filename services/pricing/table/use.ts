// How often promotions were used, in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface Uses {
  readonly total: number;
  /** Orders of the identities asked for. */
  readonly own: number;
}

/** Counts the orders of any of the identities that use the promotion of the outer query's column. */
const ownUses = (sql: Sql, { store, environment }: Tenant, promotion: string, identities: readonly string[]) => sql`
  (select count(distinct i."order")::integer
    from pricing.redemption_identity i
    join pricing.redemption r using (store, environment, promotion, "order")
    where i.store = ${store} and i.environment = ${environment} and i.promotion = ${sql.unsafe(promotion)}
      and i.identity = any(${identities as string[]}::text[]) and r.released_at is null)`;

/** By promotion; those never used are left out. */
export const findUses = async (
  sql: Sql,
  tenant: Tenant,
  promotionIds: readonly string[],
  identities: readonly string[],
): Promise<ReadonlyMap<string, Uses>> => {
  const rows = await sql<{ promotion: string; total: number; own: number }[]>`
    select u.promotion, u.times_used as total, ${ownUses(sql, tenant, 'u.promotion', identities)} as own
    from pricing.promotion_use u
    where u.store = ${tenant.store} and u.environment = ${tenant.environment}
      and u.promotion = any(${promotionIds as string[]}::uuid[])`;
  return new Map(rows.map(({ promotion, total, own }) => [promotion, { total, own }]));
};

/** Locks the counters of promotions until the transaction ends, in the order of their ids, and creates those that lack. */
export const lockCounters = async (
  sql: Sql,
  { store, environment }: Tenant,
  promotionIds: readonly string[],
): Promise<void> => {
  // A conflicting row is locked even though the update's condition leaves it as it is.
  await sql`
    insert into pricing.promotion_use (store, environment, promotion, times_used)
    select p.store, p.environment, p.id, 0 from pricing.promotion p
    where p.store = ${store} and p.environment = ${environment} and p.id = any(${promotionIds as string[]}::uuid[])
    order by p.id
    on conflict (store, environment, promotion) do update set times_used = 0 where false`;
};

export interface PromotionAmount {
  readonly promotion: string;
  /** In minor units of the order's currency. */
  readonly amount: number;
}

export interface RefusedUse {
  readonly promotion: string;
  readonly obstacle: 'usage_limit' | 'usage_limit_per_customer';
}

/** Counts each promotion for the order, or returns why it cannot be used. Its counters are locked by a statement before. */
export const insertUses = (
  sql: Sql,
  tenant: Tenant,
  { order, identities, promotions }: UsesOfOrder,
  now: Date,
): Promise<readonly RefusedUse[]> => sql<RefusedUse[]>`
  with judged as (
    select p.id, asked.amount, case
      when u.times_used >= p.usage_limit then 'usage_limit'
      when p.usage_limit_per_customer <= ${ownUses(sql, tenant, 'p.id', identities)} then 'usage_limit_per_customer'
    end as obstacle
    from unnest(${promotions.map(({ promotion }) => promotion)}::uuid[],
      ${promotions.map(({ amount }) => amount)}::bigint[]) as asked (id, amount)
    join pricing.promotion p on p.store = ${tenant.store} and p.environment = ${tenant.environment} and p.id = asked.id
    join pricing.promotion_use u on u.store = p.store and u.environment = p.environment and u.promotion = p.id
    where not exists (
      select from pricing.redemption r
      where r.store = p.store and r.environment = p.environment and r.promotion = p.id and r."order" = ${order}
    )
  ), used as (
    insert into pricing.redemption (store, environment, promotion, "order", amount, redeemed_at)
    select ${tenant.store}, ${tenant.environment}, id, ${order}, amount, ${now} from judged where obstacle is null
    returning store, environment, promotion, "order"
  ), identified as (
    insert into pricing.redemption_identity (store, environment, promotion, identity, "order")
    select store, environment, promotion, identity, "order"
    from used cross join unnest(${identities as string[]}::text[]) as identity
  ), counted as (
    update pricing.promotion_use u set times_used = u.times_used + 1 from used
    where u.store = used.store and u.environment = used.environment and u.promotion = used.promotion
  )
  select id as promotion, obstacle from judged where obstacle is not null`;

export interface UsesOfOrder {
  readonly order: string;
  /** Of the buyer, by whom a limit per customer counts. */
  readonly identities: readonly string[];
  readonly promotions: readonly PromotionAmount[];
}

/** Locks the counters of an order's promotions until the transaction ends, in the order of their ids. */
export const lockCountersOf = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<void> => {
  await sql`
    select from pricing.promotion_use u
    join pricing.redemption r using (store, environment, promotion)
    where r.store = ${store} and r.environment = ${environment} and r."order" = ${order}
    order by u.promotion for update of u`;
};

/** Marks the uses of an order released, once. Its counters are locked by a statement before. */
export const releaseUses = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  now: Date,
): Promise<void> => {
  await sql`
    with released as (
      update pricing.redemption set released_at = ${now}
      where store = ${store} and environment = ${environment} and "order" = ${order} and released_at is null
      returning promotion
    )
    update pricing.promotion_use u set times_used = u.times_used - 1 from released
    where u.store = ${store} and u.environment = ${environment} and u.promotion = released.promotion`;
};

/** Adds a customer's identity to the uses of orders that are the customer's from now on. */
export const insertIdentity = async (
  sql: Sql,
  { store, environment }: Tenant,
  orders: readonly string[],
  identity: string,
): Promise<void> => {
  await sql`
    insert into pricing.redemption_identity (store, environment, promotion, identity, "order")
    select store, environment, promotion, ${identity}, "order" from pricing.redemption
    where store = ${store} and environment = ${environment} and "order" = any(${orders as string[]}::uuid[])
    on conflict do nothing`;
};
