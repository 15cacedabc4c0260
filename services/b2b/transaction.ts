// Changes purchase orders inside an order's transaction, so that both commit together.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { cancelByOrder, markConfirmed, markFulfilled, type PurchaseOrderTransition } from './table/purchase_order.ts';

/** False: no longer issued; the caller rolls back. */
export const confirmPurchaseOrder = (
  tx: Transaction,
  tenant: Tenant,
  moved: PurchaseOrderTransition,
): Promise<boolean> => markConfirmed(tx.sql, tenant, moved, tx.clock.now(tenant));

/** False: not confirmed, or confirmed by another order. */
export const fulfilPurchaseOrder = (
  tx: Transaction,
  tenant: Tenant,
  moved: PurchaseOrderTransition,
): Promise<boolean> => markFulfilled(tx.sql, tenant, moved, tx.clock.now(tenant));

export const cancelPurchaseOrder = (tx: Transaction, tenant: Tenant, order: string): Promise<void> =>
  cancelByOrder(tx.sql, tenant, order);
