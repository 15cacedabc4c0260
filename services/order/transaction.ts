// Orders inside another domain's transaction: those that a guest placed belong to the customer who proves their address.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { nameUser } from '#services/pricing/transaction.ts';
import { normalEmail } from '#values/typed_name.ts';
import { eventsOf } from './change.ts';
import { orderDocument } from './document.ts';
import { hasGuestOrder, setCustomer } from './table/guest.ts';
import { findOrder } from './table/order.ts';

export const isGuestAddress = (sql: Sql, tenant: Tenant, email: string): Promise<boolean> =>
  hasGuestOrder(sql, tenant, normalEmail(email));

/** Gives the customer who proved an address, once, the orders that guests placed with it. */
export const claimGuestOrders = async (
  tx: Transaction,
  tenant: Tenant,
  { id: customer, email }: { readonly id: string; readonly email: string },
): Promise<void> => {
  const now = tx.clock.now(tenant);
  const ids = await setCustomer(tx.sql, tenant, { email: normalEmail(email), customer, now });
  if (ids.length === 0) return;
  await nameUser(tx, tenant, ids, customer);
  const orders = await Promise.all(ids.map((id) => findOrder(tx.sql, tenant, id)));
  await tx.emit(
    tenant,
    orders.flatMap((order) => {
      const after = orderDocument(tenant, order!);
      return eventsOf({ ...after, customer_id: null }, after);
    }),
  );
};
