// An order as the books have it: what was received for it and given back of it. Who settles a payment tells its order so once
// that is committed; who changes the order before it was told looks first.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { holdPaying } from '#services/ledger/index.ts';
import { save, withPayment } from './change.ts';
import { orderDocument } from './document.ts';
import { isUnpaid } from './give_back.ts';
import type { WholeOrder } from './order.ts';
import { moneyOf } from './table/money.ts';
import { holdOrder } from './table/order.ts';

/** Within the transaction that holds the order, with the events of what it was not told of. */
export const settle = async (tx: Transaction, tenant: Tenant, order: WholeOrder): Promise<WholeOrder> => {
  const { received, refunded } = await moneyOf(tx.sql, tenant, order.id, order.currency);
  const settled = withPayment({ ...order, amount_paid: received, amount_refunded: refunded });
  const before = orderDocument(tenant, order);
  if (JSON.stringify(orderDocument(tenant, settled)) === JSON.stringify(before)) return order;
  await save(tx, tenant, before, settled, { quiet: true });
  return settled;
};

/** Held until the transaction ends. One that waits for a payment is settled first, and no payment arrives meanwhile. */
export const holdSettled = async (tx: Transaction, tenant: Tenant, id: string): Promise<WholeOrder | null> => {
  const order = await holdOrder(tx.sql, tenant, id);
  if (order === null || !isUnpaid(order)) return order;
  await holdPaying(tx, tenant, order.id);
  return settle(tx, tenant, order);
};
