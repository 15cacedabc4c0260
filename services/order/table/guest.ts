// SQL of orders that belong to no customer yet, by the normal form of their address.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** A condition on orders.order o. */
const isGuests = (sql: Sql, { store, environment }: Tenant, email: string) => sql`
  o.store = ${store} and o.environment = ${environment} and o.customer_id is null
  and normalize(lower(normalize(o.email, NFC)), NFC) = ${email}`;

export const hasGuestOrder = async (sql: Sql, tenant: Tenant, email: string): Promise<boolean> => {
  const found = await sql`select 1 from orders.order o where ${isGuests(sql, tenant, email)} limit 1`;
  return found.length > 0;
};

/** Sets the customer of a guest's orders and returns the orders' ids. */
export const setCustomer = async (
  sql: Sql,
  tenant: Tenant,
  { email, customer, now }: { readonly email: string; readonly customer: string; readonly now: Date },
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    update orders.order o set customer_id = ${customer}, updated_at = ${now} where ${isGuests(sql, tenant, email)}
    returning o.id`;
  return rows.map(({ id }) => id);
};
