// Cancels orders placed on a store's page that were not paid in time. Anyone can place such orders without a key, so
// they must not reserve stock for long.
import { type Environment, Refusal, type Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { changeOrder, lockSettledOrder } from './change.ts';
import type { OrderClients } from './client.ts';
import { amountReceived } from './order.ts';

export interface UnpaidOrder {
  readonly store: string;
  readonly environment: Environment;
  readonly order_id: string;
  readonly due_at: Date;
}

export const insertUnpaid = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  dueAt: Date,
): Promise<void> => {
  await sql`
    insert into orders.unpaid (store, environment, order_id, due_at) values (${store}, ${environment}, ${order}, ${dueAt})`;
};

/** Returns the orders by due time; of all tenants if `tenant` is null. */
export const findUnpaidDue = (
  sql: Sql,
  until: Date,
  tenant: Tenant | null,
  limit: number,
): Promise<readonly UnpaidOrder[]> => sql<UnpaidOrder[]>`
  select store, environment, order_id, due_at from orders.unpaid
  where due_at <= ${until}
    and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
  order by due_at, order_id limit ${limit}`;

export const deleteUnpaid = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<boolean> => {
  const taken = await sql`
    delete from orders.unpaid where store = ${store} and environment = ${environment} and order_id = ${order}`;
  return taken.count === 1;
};

/** Time that a shopper has to pay on a provider's page. */
export const PAYMENT_WINDOW_MS = 60 * 60_000;
const INTERVAL_MS = 1_000;
const BATCH_MAX = 200;

type StockClient = Pick<OrderClients, 'settleStockLevels'>;

/** Cancels the order if it is still pending and nothing was paid. Returns whether it did. */
const cancelIfUnpaid = async (tx: Transaction, tenant: Tenant, id: string, stock: StockClient): Promise<boolean> => {
  if (!(await deleteUnpaid(tx.sql, tenant, id))) return false;
  const order = await lockSettledOrder(tx, tenant, id);
  if (order === null || order.order_status !== 'pending' || amountReceived(order) > 0) return false;
  const cancelled = await changeOrder(tx, tenant, order, { id, order_status: 'cancelled' });
  if (cancelled instanceof Refusal) return false;
  tx.afterCommit(() => stock.settleStockLevels({ tenant }));
  return true;
};

type Parts = Pick<Runtime, 'postgres' | 'clock'>;

const cancelUnpaid = async ({ postgres, clock }: Parts, stock: StockClient): Promise<void> => {
  const due: UnpaidOrder[] = [...(await findUnpaidDue(postgres.sql, new Date(clock.real()), null, BATCH_MAX))];
  for (const tenant of clock.moved())
    due.push(...(await findUnpaidDue(postgres.sql, clock.now(tenant), tenant, BATCH_MAX)));
  for (const { store, environment, order_id } of due)
    await postgres.transaction((tx) => cancelIfUnpaid(tx, { store, environment }, order_id, stock));
};

export const unpaidDue = (stock: StockClient): SharedDue => ({
  list: async (sql, tenant, until, max) => {
    const orders = await findUnpaidDue(sql, new Date(until), tenant, max);
    return orders.map(({ order_id, due_at }) => ({ id: order_id, at: due_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => ({
    types: (await cancelIfUnpaid(tx, tenant, id, stock)) ? ['order.cancelled'] : [],
  }),
});

export const startUnpaid = (runtime: Parts & Pick<Runtime, 'log'>, stock: StockClient): (() => void) =>
  repeatedly({
    everyMs: INTERVAL_MS,
    able: () => runtime.postgres.available,
    resting: {
      ...runtime,
      nextDue: async (until) => (await findUnpaidDue(runtime.postgres.sql, until, null, 1))[0]?.due_at ?? null,
    },
    work: () => cancelUnpaid(runtime, stock),
    failed: (problem) => runtime.log.warn({ err: problem }, 'unpaid orders were not ended'),
  });
