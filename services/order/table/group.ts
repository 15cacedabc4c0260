// SQL of checkouts over several merchants.
import type { Tenant } from '#runtime/call/call.ts';
import { generationOfRow } from '#runtime/postgres/sandbox_lock.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { WholeOrder } from '#services/order/order.ts';

export interface GroupRecord {
  readonly id: string;
  readonly email: string;
  readonly currency: string;
  readonly created_at: Date;
}

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
  | 'amount_released'
  | 'origin'
>;

/** `orders` is in the sequence of the answer. The transaction may insert the orders themselves later. */
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

export type WholeGroup = GroupRecord & { readonly orders: readonly StoredGroupOrder[] };

/** `generation` is that of the merchant's sandbox; a reset raises it. */
type StoredGroupOrder = GroupOrder & { readonly generation: number };

const ordersOf = async (
  sql: Sql,
  { store: operator, environment }: Tenant,
  groups: readonly GroupRecord[],
): Promise<readonly WholeGroup[]> => {
  const orders = await sql<(StoredGroupOrder & { readonly group_id: string })[]>`
    select m.group_id, o.store, o.id, o.number, o.currency, o.order_status, o.payment_status, o.total_amount,
      o.gift_card_total, o.store_credit_total, o.amount_paid, o.amount_released, o.origin, ${generationOfRow(sql, 'o')} as generation
    from orders.checkout_order m
    join orders.order o on o.store = m.store and o.environment = m.environment and o.id = m.order_id
    where m.operator = ${operator} and m.environment = ${environment}
      and m.group_id = any(${groups.map(({ id }) => id)}::uuid[])
    order by m.position`;
  const byGroup = Map.groupBy(orders, ({ group_id }) => group_id);
  return groups.map((group) => ({ ...group, orders: byGroup.get(group.id) ?? [] }));
};

const columns = (sql: Sql) => sql`g.id, g.email, g.currency, g.created_at`;

export const findGroup = async (sql: Sql, tenant: Tenant, id: string): Promise<WholeGroup | null> => {
  const groups = await sql<GroupRecord[]>`
    select ${columns(sql)} from orders.checkout_group g
    where g.operator = ${tenant.store} and g.environment = ${tenant.environment} and g.id = ${id}`;
  return (await ordersOf(sql, tenant, groups))[0] ?? null;
};

/** Returns the newest groups first. Leaves out groups that lost all orders to sandbox resets. */
export const pageOfGroups = async (
  sql: Sql,
  tenant: Tenant,
  before: string | null,
  limit: number,
): Promise<readonly WholeGroup[]> => {
  const groups = await sql<GroupRecord[]>`
    select ${columns(sql)} from orders.checkout_group g
    where g.operator = ${tenant.store} and g.environment = ${tenant.environment}
      ${before === null ? sql`` : sql`and g.id < ${before}`} and exists (
        select 1 from orders.checkout_order m
        where m.operator = g.operator and m.environment = g.environment and m.group_id = g.id)
    order by g.id desc limit ${limit}`;
  return ordersOf(sql, tenant, groups);
};

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
