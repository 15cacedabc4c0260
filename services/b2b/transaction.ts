// Functions for an order's transaction, so that the order and its purchase order commit together.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { cancelByOrder, markConfirmed, markFulfilled, type PurchaseOrderTransition } from './table/purchase_order.ts';

/** Returns false if the purchase order is not `issued`; the caller then rolls back. */
export const confirmPurchaseOrder = (
  tx: Transaction,
  tenant: Tenant,
  moved: PurchaseOrderTransition,
): Promise<boolean> => markConfirmed(tx.sql, tenant, moved, tx.clock.now(tenant));

/** Returns false if the purchase order is not confirmed, or was confirmed by another order. */
export const fulfilPurchaseOrder = (
  tx: Transaction,
  tenant: Tenant,
  moved: PurchaseOrderTransition,
): Promise<boolean> => markFulfilled(tx.sql, tenant, moved, tx.clock.now(tenant));

export const cancelPurchaseOrder = (tx: Transaction, tenant: Tenant, order: string): Promise<void> =>
  cancelByOrder(tx.sql, tenant, order);
