// Records that a customer's e-mail address is proved when a challenge sent there is redeemed.
import type { SignedIn, VerifyOtpRequest } from '#proto/gen/customer.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { passwordFailureKey } from '#services/commerce/login_failure.ts';
import { claimAccountlessOrders, hasAccountlessOrder } from '#services/order/transaction.ts';
import type { CustomerRecord } from './customer.ts';
import { endCredentials, signIn } from './sign_in.ts';
import type { Addressee } from './table/challenge.ts';
import { emailIsProved, insertProof } from './table/challenge.ts';
import { findCustomer } from './table/customer.ts';
import { findAccess } from './table/session.ts';

export const findAddressee = async (sql: Sql, tenant: Tenant, to: Addressee | null): Promise<CustomerRecord | null> => {
  const customer = to?.customer ? await findCustomer(sql, tenant, to.customer) : null;
  return customer && passwordFailureKey(customer.email).equals(to!.account) ? customer : null;
};

const isOwnSession = async (
  sql: Sql,
  tenant: Tenant,
  { id }: CustomerRecord,
  token: string,
  now: Date,
): Promise<boolean> => (await findAccess(sql, tenant, sha256(token), now))?.customer === id;

export const proveEmail = async (
  tx: Transaction,
  tenant: Tenant,
  customer: Pick<CustomerRecord, 'id' | 'email'>,
  now: Date,
): Promise<void> => {
  await insertProof(tx.sql, tenant, customer, now);
  await claimAccountlessOrders(tx, tenant, customer);
};

/** Milliseconds after registration during which a proof counts as part of the sign-up. */
const SIGN_UP_MS = 60 * 60_000;

/**
 * Signs a customer in after proof of the address. The first proof deletes the password and ends earlier sessions, which
 * another person may have created. Both stay if the proof is part of the sign-up or comes from the customer's own
 * session. If the address has orders without an account, a sign-up is no exception: the person who registered must not
 * get access to those orders.
 */
export const signInWithProof = async (
  { clock, notices }: Pick<Runtime, 'clock' | 'notices'>,
  tx: Transaction,
  tenant: Tenant,
  customer: CustomerRecord,
  { session_token: sessionToken = '', device }: Pick<VerifyOtpRequest, 'session_token' | 'device'>,
): Promise<SignedIn> => {
  const now = clock.now(tenant);
  const { sql } = tx;
  const signsUp = now.getTime() - customer.created_at.getTime() < SIGN_UP_MS;
  const proved =
    (await emailIsProved(sql, tenant, customer)) ||
    (signsUp && !(await hasAccountlessOrder(sql, tenant, customer.email)));
  if (!proved && !(await isOwnSession(sql, tenant, customer, sessionToken, now)))
    await endCredentials(tx, notices, tenant, customer.id);
  const signedIn = await signIn(tx, tenant, customer, device);
  await proveEmail(tx, tenant, customer, now);
  return signedIn;
};
