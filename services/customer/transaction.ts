// Checks a customer, and ends one, inside another domain's transaction.
import type { Tenant } from '#runtime/call/call.ts';
import { ERASED_TEXT, erasedEmail } from '#runtime/domain/personal_data.ts';
import type { Notices } from '#runtime/nats/notice.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type CustomerRecord, customerDocument } from './customer.ts';
import { endCredentials, invalidateShoppers } from './sign_in.ts';
import { deleteChallenges } from './table/challenge.ts';
import { accountEmails, emailsOf, lockCustomer, markDeleted } from './table/customer.ts';

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

/** Ends the account and all its sessions, and sends `customer.deleted` with the customer as `shown` returns it. */
export const endCustomer = async (
  tx: Transaction,
  notices: Notices,
  tenant: Tenant,
  id: string,
  shown: (customer: CustomerRecord) => CustomerRecord = (customer) => customer,
): Promise<CustomerRecord | null> => {
  const customer = await lockCustomer(tx.sql, tenant, id);
  if (customer === null) return null;
  await markDeleted(tx.sql, tenant, id, tx.clock.now(tenant));
  await deleteChallenges(tx.sql, tenant, id);
  await endCredentials(tx, notices, tenant, id);
  invalidateShoppers(tx, notices, tenant);
  await tx.emit(tenant, [{ type: 'customer.deleted', object: customerDocument(shown(customer)) }]);
  tx.afterCommit(() => notices.publish({ kind: 'customers', tenant, ids: [id] }));
  return customer;
};

const erased = ({ id, created_at, updated_at }: CustomerRecord): CustomerRecord => ({
  id,
  external_id: null,
  email: erasedEmail(id),
  first_name: ERASED_TEXT,
  last_name: null,
  phone: null,
  customer_group: null,
  addresses: [],
  metadata: {},
  language: null,
  created_at,
  updated_at,
});

/** Ends the account, unless it was ended before. Returns the customer's addresses; null if nothing is stored of the account. */
export const endForErasure = async (
  tx: Transaction,
  notices: Notices,
  tenant: Tenant,
  id: string,
): Promise<readonly string[] | null> => {
  await endCustomer(tx, notices, tenant, id, erased);
  const emails = await emailsOf(tx.sql, tenant, id);
  return emails.length === 0 ? null : emails;
};

/** Returns those of the addresses that no customer has an account with. */
export const emailsWithoutAccount = async (
  { sql }: Transaction,
  tenant: Tenant,
  emails: readonly string[],
): Promise<readonly string[]> => {
  const taken = new Set(await accountEmails(sql, tenant, emails));
  return emails.filter((email) => !taken.has(email));
};
