// Lists the money that orders received and gave back, for reports.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface OrderMovement {
  readonly order: string;
  readonly kind: 'received' | 'refunded';
  /** Minor units. A refund is positive, and negative where a provider failed to pay it out. */
  readonly amount: number;
  /** The refund that it is a part of; null for money received. */
  readonly refund: string | null;
  readonly at: Date;
}

/** Returns the movements of these orders in the named currencies, oldest first. Value given back on an unpaid order is none. */
export const movementsOfOrders = (
  sql: Sql,
  { store, environment }: Tenant,
  orders: readonly { readonly id: string; readonly currency: string }[],
): Promise<readonly OrderMovement[]> => sql<OrderMovement[]>`
  select p.order_id as order, p.created_at as at,
    case when p.kind in ('refunded', 'refund_failed') then 'refunded' else 'received' end as kind,
    case when p.kind in ('refunded', 'refund_failed') then -e.amount else e.amount end as amount,
    case when p.kind in ('refunded', 'refund_failed') then split_part(p.reference, '/', 2) end as refund
  from unnest(${orders.map(({ id }) => id)}::uuid[], ${orders.map(({ currency }) => currency)}::text[])
    as wanted (order_id, currency)
  join ledger.posting p on p.store = ${store} and p.environment = ${environment} and p.order_id = wanted.order_id
  join ledger.entry e on e.store = p.store and e.environment = p.environment and e.posting = p.id
    and e.kind = 'order' and e.subject = p.order_id and e.currency = wanted.currency
  where e.amount > 0 or p.kind in ('refunded', 'refund_failed')
  order by p.id`;
