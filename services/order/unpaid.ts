// Cancels orders placed on a store's page that were not paid in time. Anyone can place such orders without a key, so
// they must not reserve stock for long.
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { type DueItem, type DueQuery, type DueRow, dueItemOf, type ListedDue } from '#runtime/domain/due.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { changeOrder, lockSettledOrder } from './change.ts';
import type { OrderClients } from './client.ts';
import { amountReceived } from './order.ts';

export const insertUnpaid = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  dueAt: Date,
): Promise<void> => {
  await sql`
    insert into orders.unpaid (store, environment, order_id, due_at) values (${store}, ${environment}, ${order}, ${dueAt})`;
};

const listUnpaid = async (sql: Sql, { tenant, until, max }: DueQuery): Promise<readonly DueItem[]> => {
  const rows = await sql<DueRow[]>`
    select store, environment, order_id as id, due_at from orders.unpaid
    where due_at <= ${until}
      and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
    order by due_at, order_id limit ${max}`;
  return rows.map(dueItemOf);
};

const deleteUnpaid = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<boolean> => {
  const taken = await sql`
    delete from orders.unpaid where store = ${store} and environment = ${environment} and order_id = ${order}`;
  return taken.count === 1;
};

export const PAYMENT_WINDOW_MS = 60 * 60_000;

type StockClient = Pick<OrderClients, 'settleStockLevels'>;

/** An authorised order waits for its capture, or for its authorisation to be voided. */
const cancelIfUnpaid = async (tx: Transaction, tenant: Tenant, id: string, stock: StockClient): Promise<boolean> => {
  if (!(await deleteUnpaid(tx.sql, tenant, id))) return false;
  const order = await lockSettledOrder(tx, tenant, id);
  if (order?.payment_status === 'authorized') {
    await insertUnpaid(tx.sql, tenant, id, new Date(tx.clock.now(tenant).getTime() + PAYMENT_WINDOW_MS));
    return false;
  }
  if (order === null || order.order_status !== 'pending' || amountReceived(order) > 0) return false;
  const cancelled = await changeOrder(tx, tenant, order, { id, order_status: 'cancelled' });
  if (cancelled instanceof Refusal) return false;
  tx.afterCommit(() => stock.settleStockLevels({ tenant }));
  return true;
};

export const unpaidDue = (stock: StockClient): ListedDue => ({
  name: 'unpaid orders',
  list: listUnpaid,
  fire: async (tx, { tenant, id }) => ({
    types: (await cancelIfUnpaid(tx, tenant, id, stock)) ? ['order.cancelled'] : [],
  }),
});
