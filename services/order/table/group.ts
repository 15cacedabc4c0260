// SQL of checkouts over several merchants.
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';
import type { WholeOrder } from '#services/order/order.ts';

export interface GroupRecord {
  readonly id: string;
  readonly email: string;
  readonly currency: string;
  readonly created_at: Date;
}

/** What a group shows of one of its orders. */
export type GroupOrder = { readonly store: string } & Pick<
  WholeOrder,
  | 'id'
  | 'number'
  | 'currency'
  | 'order_status'
  | 'payment_status'
  | 'total_amount'
  | 'gift_card_total'
  | 'store_credit_total'
  | 'amount_paid'
  | 'origin'
>;

/** Its orders are there, or come within the same transaction, in the order in which they are shown. `operator` is the tenant of an operator's own key. */
export const insertGroup = async (
  sql: Sql,
  { store: operator, environment }: Tenant,
  group: GroupRecord,
  orders: readonly { readonly store: string; readonly order: string }[],
): Promise<void> => {
  await Promise.all([
    sql`
      insert into orders.checkout_group (operator, environment, id, email, currency, created_at)
      values (${operator}, ${environment}, ${group.id}, ${group.email}, ${group.currency}, ${group.created_at})`,
    sql`
      insert into orders.checkout_order (store, environment, order_id, operator, group_id, position)
      select store, ${environment}, order_id, ${operator}, ${group.id}, position
      from unnest(${orders.map(({ store }) => store)}::uuid[], ${orders.map(({ order }) => order)}::uuid[])
        with ordinality as member (store, order_id, position)`,
  ]);
};

export const findGroup = async (
  sql: Sql,
  { store: operator, environment }: Tenant,
  id: string,
): Promise<(GroupRecord & { readonly orders: readonly GroupOrder[] }) | null> => {
  const [group] = await sql<GroupRecord[]>`
    select id, email, currency, created_at from orders.checkout_group
    where operator = ${operator} and environment = ${environment} and id = ${id}`;
  if (!group) return null;
  const orders = await sql<GroupOrder[]>`
    select o.store, o.id, o.number, o.currency, o.order_status, o.payment_status, o.total_amount, o.gift_card_total,
      o.store_credit_total, o.amount_paid, o.origin
    from orders.checkout_order m
    join orders.order o on o.store = m.store and o.environment = m.environment and o.id = m.order_id
    where m.operator = ${operator} and m.environment = ${environment} and m.group_id = ${id}
    order by m.position`;
  return { ...group, orders };
};

/** Orders of customers of several stores that are not cancelled. */
export const countOrders = async (
  sql: Sql,
  environment: Tenant['environment'],
  customers: readonly { readonly store_id: string; readonly customer_id: string }[],
): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from unnest(${customers.map(({ store_id }) => store_id)}::uuid[],
      ${customers.map(({ customer_id }) => customer_id)}::uuid[]) as who (store, customer)
    join orders.order o on o.store = who.store and o.environment = ${environment} and o.customer_id = who.customer
    where o.order_status <> 'cancelled'`;
  return row!.count;
};
