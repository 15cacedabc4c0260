// SQL of what the ledger says of an order: what payments brought in, and what was given back.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface OrderMoney {
  /** By payments and by merchants' own means; gift cards and credit apart. */
  readonly received: number;
  /** To whichever source. */
  readonly refunded: number;
}

export const moneyOf = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  currency: string,
): Promise<OrderMoney> => {
  const [row] = await sql<OrderMoney[]>`
    select
      coalesce(sum(e.amount) filter (where p.kind in ('payment_received', 'paid_elsewhere')), 0)::bigint as received,
      coalesce(-sum(e.amount) filter (where p.kind in ('refunded', 'refund_failed')), 0)::bigint as refunded
    from ledger.posting p
    join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
      and e.kind = 'order' and e.subject = p.order_id
    where p.store = ${store} and p.environment = ${environment} and p.order_id = ${order} and p.currency = ${currency}`;
  return row!;
};
