// What a challenge that came back proves: that its address is the customer's.
import type { SignedIn } from '#proto/gen/customer.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { claimGuestOrders, isGuestAddress } from '#services/order/transaction.ts';
import type { CustomerRecord } from './customer.ts';
import { accountHash } from './email.ts';
import { endCredentials, signIn } from './sign_in.ts';
import type { Addressee } from './table/challenge.ts';
import { findCustomer } from './table/customer.ts';
import { emailIsProved, insertProof } from './table/email_proof.ts';
import { findAccess } from './table/session.ts';

/** Whom a challenge lets in. One that was mailed while the customer moved to another address went to the old one. */
export const findProved = async (sql: Sql, tenant: Tenant, to: Addressee | null): Promise<CustomerRecord | null> => {
  const customer = to?.customer ? await findCustomer(sql, tenant, to.customer) : null;
  return customer && accountHash(customer.email).equals(to!.account) ? customer : null;
};

/** Whether a token is of a living session of the customer's. */
const isTheirs = async (sql: Sql, tenant: Tenant, { id }: CustomerRecord, token: string, now: Date): Promise<boolean> =>
  (await findAccess(sql, tenant, sha256(token), now))?.customer === id;

/** Proves that the customer's address is theirs: what guests ordered with it belongs to them, too. */
export const proveEmail = async (
  tx: Transaction,
  tenant: Tenant,
  customer: Pick<CustomerRecord, 'id' | 'email'>,
  now: Date,
): Promise<void> => {
  await insertProof(tx.sql, tenant, customer, now);
  await claimGuestOrders(tx, tenant, customer);
};

/** How long after a customer registered a proof of the address still belongs to the sign-up, in ms. */
const SIGN_UP_MS = 60 * 60_000;

/**
 * What was mailed to an address came back: it is the customer's. Until then anyone may have registered with it: what was
 * there ends, unless the customer registered just now or the request comes from within it. Guest orders are older than a
 * sign-up: a stranger who registered with the address of one must not keep a way to it.
 */
export const signInProved = async (
  { clock, notices }: Pick<Runtime, 'clock' | 'notices'>,
  tx: Transaction,
  tenant: Tenant,
  customer: CustomerRecord,
  sessionToken = '',
): Promise<SignedIn> => {
  const now = clock.now(tenant);
  const { sql } = tx;
  const signsUp = now.getTime() - customer.created_at.getTime() < SIGN_UP_MS;
  const proved =
    (await emailIsProved(sql, tenant, customer)) || (signsUp && !(await isGuestAddress(sql, tenant, customer.email)));
  if (!proved && !(await isTheirs(sql, tenant, customer, sessionToken, now)))
    await endCredentials(tx, notices, tenant, customer.id);
  const signedIn = await signIn(tx, tenant, customer);
  await proveEmail(tx, tenant, customer, now);
  return signedIn;
};
