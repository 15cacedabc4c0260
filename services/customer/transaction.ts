// Checks a customer inside another domain's transaction.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

export const isOpenCustomer = async (
  { sql }: Transaction,
  { store, environment }: Tenant,
  customer: string,
): Promise<boolean> => {
  const [found] = await sql`
    select from customer.customer
    where store = ${store} and environment = ${environment} and id = ${customer} and deleted_at is null`;
  return found !== undefined;
};
