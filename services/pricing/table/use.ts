// How often promotions were used, in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface Uses {
  readonly total: number;
  /** Of the address asked for. */
  readonly own: number;
}

/** By promotion; those never used are left out. */
export const findUses = async (
  sql: Sql,
  { store, environment }: Tenant,
  promotionIds: readonly string[],
  address: string | null,
): Promise<ReadonlyMap<string, Uses>> => {
  const rows = await sql<{ promotion: string; total: number; own: number }[]>`
    select u.promotion, u.times_used as total, (
      select count(*)::integer from pricing.redemption r
      where r.store = u.store and r.environment = u.environment and r.promotion = u.promotion
        and r.customer = ${address} and r.released_at is null
    ) as own
    from pricing.promotion_use u
    where u.store = ${store} and u.environment = ${environment} and u.promotion = any(${promotionIds as string[]}::uuid[])`;
  return new Map(rows.map(({ promotion, total, own }) => [promotion, { total, own }]));
};
