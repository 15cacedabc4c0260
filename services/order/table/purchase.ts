// SQL of who bought what.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface Purchase {
  readonly customer: string;
  readonly product: string;
  readonly order: string | null;
}

/** Money given back in part leaves a purchase one; all of it does not, nor does a cancellation. */
export const findPurchase = async (
  sql: Sql,
  { store, environment }: Tenant,
  { customer, product, order }: Purchase,
): Promise<{ readonly paid: boolean; readonly named: boolean }> => {
  const [found] = await sql<{ paid: boolean; named: boolean }[]>`
    select
      coalesce(bool_or(o.payment_status in ('paid', 'partially_refunded') and o.order_status <> 'cancelled'), false)
        as paid,
      coalesce(bool_or(o.id = ${order}::uuid), false) as named
    from orders.order o
    where o.store = ${store} and o.environment = ${environment} and o.customer_id = ${customer}
      and exists (
        select from orders.line l
        where l.store = o.store and l.environment = o.environment and l.order_id = o.id and l.product_id = ${product}
      )`;
  return found!;
};
