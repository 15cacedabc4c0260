// Counts uses of promotions in Postgres, in total and by customer.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface Uses {
  readonly total: number;
  readonly byCustomer: number;
}

const usesByCustomer = (
  sql: Sql,
  { store, environment }: Tenant,
  promotion: string,
  identities: readonly string[],
) => sql`
  (select count(distinct i."order")::integer
    from pricing.redemption_identity i
    join pricing.redemption r using (store, environment, promotion, "order")
    where i.store = ${store} and i.environment = ${environment} and i.promotion = ${sql.unsafe(promotion)}
      and i.identity = any(${identities as string[]}::text[]) and r.released_at is null)`;

export const findUses = async (
  sql: Sql,
  tenant: Tenant,
  promotionIds: readonly string[],
  identities: readonly string[],
): Promise<ReadonlyMap<string, Uses>> => {
  const rows = await sql<{ promotion: string; total: number; by_customer: number }[]>`
    select u.promotion, u.times_used as total, ${usesByCustomer(sql, tenant, 'u.promotion', identities)} as by_customer
    from pricing.promotion_use u
    where u.store = ${tenant.store} and u.environment = ${tenant.environment}
      and u.promotion = any(${promotionIds as string[]}::uuid[])`;
  return new Map(rows.map(({ promotion, total, by_customer }) => [promotion, { total, byCustomer: by_customer }]));
};

/** Locks the promotions' counters until the transaction ends, in the order of ids. Creates missing counters. */
export const lockCounters = async (
  sql: Sql,
  { store, environment }: Tenant,
  promotionIds: readonly string[],
): Promise<void> => {
  // On conflict Postgres locks the row, although `where false` prevents the update.
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

/**
 * Records an order's uses. Returns the promotions whose limit is reached. Call `lockCounters` in a separate statement
 * before.
 */
export const insertUses = (
  sql: Sql,
  tenant: Tenant,
  { order, identities, promotions }: UsesOfOrder,
  now: Date,
): Promise<readonly RefusedUse[]> => sql<RefusedUse[]>`
  with judged as (
    select p.id, asked.amount, case
      when u.times_used >= p.usage_limit then 'usage_limit'
      when p.usage_limit_per_customer <= ${usesByCustomer(sql, tenant, 'p.id', identities)} then 'usage_limit_per_customer'
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
  readonly identities: readonly string[];
  readonly promotions: readonly PromotionAmount[];
}

/** Locks the counters of an order's promotions until the transaction ends, in the order of ids. */
export const lockCountersOf = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<void> => {
  await sql`
    select from pricing.promotion_use u
    join pricing.redemption r using (store, environment, promotion)
    where r.store = ${store} and r.environment = ${environment} and r."order" = ${order}
    order by u.promotion for update of u`;
};

/** Subtracts an order's uses, once. Call `lockCountersOf` in a separate statement before. */
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
