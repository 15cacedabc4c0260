// Purchase orders as their orders move them on, within the order's own transaction: wholesale promises them in functions
// of its schema.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { OrderRecord } from './order.ts';

export interface MovedPurchaseOrder {
  readonly id: string;
  readonly order: string;
  /** What moves it: a retry of the same finds that it was moved by itself. */
  readonly command: string;
}

/** Issued → confirmed, by this order. False: it is not issued any more. */
export const confirmPurchaseOrder = async (
  tx: Transaction,
  { store, environment }: Tenant,
  { id, order, command }: MovedPurchaseOrder,
): Promise<boolean> => {
  const [row] = await tx.sql<{ moved: boolean }[]>`
    select b2b.confirm(${store}, ${environment}, ${id}, ${order}, ${command},
      ${tx.clock.now({ store, environment })}) as moved`;
  return row!.moved;
};

/** Confirmed → fulfilled. False: it is not confirmed any more, or not by this order. */
export const fulfilPurchaseOrder = async (
  tx: Transaction,
  { store, environment }: Tenant,
  { id, order, command }: MovedPurchaseOrder,
): Promise<boolean> => {
  const [row] = await tx.sql<{ moved: boolean }[]>`
    select b2b.fulfil(${store}, ${environment}, ${id}, ${order}, ${command},
      ${tx.clock.now({ store, environment })}) as moved`;
  return row!.moved;
};

/** "cancelling that order cancels the purchase order and voids open invoices" */
export const cancelPurchaseOrder = async (
  tx: Transaction,
  { store, environment }: Tenant,
  { id }: Pick<OrderRecord, 'id'>,
): Promise<void> => {
  await tx.sql`select b2b.cancel(${store}, ${environment}, ${id})`;
};
