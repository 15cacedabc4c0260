// Functions for another domain's transaction: a customer who proves an e-mail address receives its orders without an
// account, and reports read the orders that they count.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { assignUsesToCustomer } from '#services/pricing/transaction.ts';
import { normalEmail } from '#values/text.ts';
import { changeEvents } from './change.ts';
import { orderDocument } from './document.ts';
import { findOrder } from './table/order.ts';

export { findSales, type OrderPlaceMark, type OrderSale, ordersAfter } from './table/sale.ts';

const isAccountless = (sql: Sql, { store, environment }: Tenant, email: string) => sql`
  o.store = ${store} and o.environment = ${environment} and o.customer_id is null
  and normalize(lower(normalize(o.email, NFC)), NFC) = ${email}`;

const findAccountlessOrder = async (sql: Sql, tenant: Tenant, email: string): Promise<boolean> => {
  const found = await sql`select 1 from orders.order o where ${isAccountless(sql, tenant, email)} limit 1`;
  return found.length > 0;
};

const setCustomer = async (
  sql: Sql,
  tenant: Tenant,
  { email, customer, now }: { readonly email: string; readonly customer: string; readonly now: Date },
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    update orders.order o set customer_id = ${customer}, updated_at = ${now} where ${isAccountless(sql, tenant, email)}
    returning o.id`;
  return rows.map(({ id }) => id);
};

export const hasAccountlessOrder = (sql: Sql, tenant: Tenant, email: string): Promise<boolean> =>
  findAccountlessOrder(sql, tenant, normalEmail(email));

/** Assigns the orders without an account that were placed with the customer's proven e-mail address to the customer. */
export const claimAccountlessOrders = async (
  tx: Transaction,
  tenant: Tenant,
  { id: customer, email }: { readonly id: string; readonly email: string },
): Promise<void> => {
  const now = tx.clock.now(tenant);
  const ids = await setCustomer(tx.sql, tenant, { email: normalEmail(email), customer, now });
  if (ids.length === 0) return;
  await assignUsesToCustomer(tx, tenant, ids, customer);
  const orders = await Promise.all(ids.map((id) => findOrder(tx.sql, tenant, id)));
  await tx.emit(
    tenant,
    orders.flatMap((order) => {
      const after = orderDocument(tenant, order!);
      return changeEvents({ ...after, customer_id: null }, after);
    }),
  );
};
