// Cancels orders that a buyer placed on a store's page and did not pay in time, by the clock of their tenant: such a page
// needs no key, so that its orders must not keep goods from others for long.
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { changeOrder } from './change.ts';
import type { OrderNeighbours } from './neighbour.ts';
import { amountReceived } from './order.ts';
import { holdSettled } from './settling.ts';
import { dueUnpaid, takeUnpaid, type UnpaidOrder } from './table/unpaid.ts';

/** What a provider's page takes a buyer, with time to look for a card. */
export const PAID_WITHIN_MS = 60 * 60_000;
const LOOK_MS = 1_000;
const AT_ONCE = 200;

type Stock = Pick<OrderNeighbours, 'settleStock'>;

/** Whether it was cancelled. What was paid, or moved on by its merchant, stays. */
const end = async (tx: Transaction, tenant: Tenant, id: string, stock: Stock): Promise<boolean> => {
  if (!(await takeUnpaid(tx.sql, tenant, id))) return false;
  const order = await holdSettled(tx, tenant, id);
  if (order === null || order.order_status !== 'pending' || amountReceived(order) > 0) return false;
  const cancelled = await changeOrder(tx, tenant, order, { id, order_status: 'cancelled' });
  if (cancelled instanceof Refusal) return false;
  tx.afterCommit(() => stock.settleStock({ tenant }));
  return true;
};

type Parts = Pick<Runtime, 'postgres' | 'clock'>;

const cancelUnpaid = async ({ postgres, clock }: Parts, stock: Stock): Promise<void> => {
  const due: UnpaidOrder[] = [...(await dueUnpaid(postgres.sql, new Date(clock.real()), null, AT_ONCE))];
  for (const tenant of clock.moved()) due.push(...(await dueUnpaid(postgres.sql, clock.now(tenant), tenant, AT_ONCE)));
  for (const { store, environment, order_id } of due)
    await postgres.transaction((tx) => end(tx, { store, environment }, order_id, stock));
};

/** The same for a sandbox that travels through time. */
export const unpaidDue = (stock: Stock): SharedDue => ({
  list: async (sql, tenant, until, max) => {
    const orders = await dueUnpaid(sql, new Date(until), tenant, max);
    return orders.map(({ order_id, due_at }) => ({ id: order_id, at: due_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => ({ types: (await end(tx, tenant, id, stock)) ? ['order.cancelled'] : [] }),
});

/** Looks every second. Returns how to stop. */
export const startUnpaid = (runtime: Parts & Pick<Runtime, 'log'>, stock: Stock): (() => void) =>
  repeatedly({
    everyMs: LOOK_MS,
    able: () => runtime.postgres.available,
    resting: {
      ...runtime,
      isDue: async (until) => (await dueUnpaid(runtime.postgres.sql, until, null, 1)).length > 0,
    },
    work: () => cancelUnpaid(runtime, stock),
    failed: (problem) => runtime.log.warn({ err: problem }, 'unpaid orders were not ended'),
  });
