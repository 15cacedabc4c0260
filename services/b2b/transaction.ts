// Purchase orders inside another domain's transaction: the order of one moves it in the commit that changes the order.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { cancelByOrder, type MovedPurchaseOrder, markConfirmed, markFulfilled } from './table/purchase_order.ts';

/** Moves issued → confirmed. False: it is not issued any longer, so the caller rolls back. */
export const confirmPurchaseOrder = (tx: Transaction, tenant: Tenant, moved: MovedPurchaseOrder): Promise<boolean> =>
  markConfirmed(tx.sql, tenant, moved, tx.clock.now(tenant));

/** Moves confirmed → fulfilled. False: it is not confirmed, or by another order. */
export const fulfilPurchaseOrder = (tx: Transaction, tenant: Tenant, moved: MovedPurchaseOrder): Promise<boolean> =>
  markFulfilled(tx.sql, tenant, moved, tx.clock.now(tenant));

/** Cancels the purchase order of a cancelled order and voids its open invoices. */
export const cancelPurchaseOrder = (tx: Transaction, tenant: Tenant, order: string): Promise<void> =>
  cancelByOrder(tx.sql, tenant, order);
