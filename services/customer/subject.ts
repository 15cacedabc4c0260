// Finds or creates the customer that an assertion identifies. Looks for the external id, then for the customer id, then
// for the e-mail address; a customer found by address gets the external id. Only an identity provider's assertion
// proves the address: a merchant could assert any address and thereby open that shopper's accounts at other merchants.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { hasAccountlessOrder } from '#services/order/transaction.ts';
import { normalEmail } from '#values/text.ts';
import type { AssertedCustomer } from './assertion.ts';
import { type CustomerRecord, customerDocument, newCustomer, previousAttributes } from './customer.ts';
import { proveEmail } from './email_proof.ts';
import { endCredentials } from './sign_in.ts';
import { emailIsProved } from './table/challenge.ts';
import { findAccount, findBySubject, insertCustomer, linkCustomer, lockCustomer } from './table/customer.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type SubjectRuntime = Pick<Runtime, 'postgres' | 'clock' | 'notices'>;

/**
 * Returns the customer's id; null if the address belongs to a customer with another external id, or if no address is
 * known.
 */
export const customerOfAssertion = async (
  { postgres, clock, notices }: SubjectRuntime,
  tenant: Tenant,
  { subject, email, provesEmail }: AssertedCustomer,
): Promise<string | null> => {
  const find = () => findBySubject(postgres.sql, tenant, subject, UUID.test(subject) ? subject : null);
  const address = email === null ? null : normalEmail(email);

  /** Until the address is proved, another person may have set the password, so it is deleted. */
  const admitProved = async (tx: Transaction, customer: CustomerRecord, now: Date): Promise<void> => {
    if (!(await emailIsProved(tx.sql, tenant, customer))) await endCredentials(tx, notices, tenant, customer.id);
    if (provesEmail) await proveEmail(tx, tenant, customer, now);
  };

  const proveKnown = async (id: string): Promise<void> => {
    if (!provesEmail || address === null) return;
    const { sql } = postgres;
    const [proved, ordered] = await Promise.all([
      emailIsProved(sql, tenant, { id, email: address }),
      hasAccountlessOrder(sql, tenant, address),
    ]);
    if (proved && !ordered) return;
    await postgres.transaction(async (tx) => {
      const customer = await lockCustomer(tx.sql, tenant, id);
      if (customer?.email === address) await admitProved(tx, customer, clock.now(tenant));
    }, tenant);
  };

  const known = await find();
  if (known !== null) await proveKnown(known);
  if (known !== null || address === null) return known;

  const make = async (tx: Transaction, now: Date): Promise<string | null> => {
    const customer = newCustomer({ email: address, external_id: subject }, now);
    if ((await insertCustomer(tx.sql, tenant, customer)) !== null) return null;
    if (provesEmail) await proveEmail(tx, tenant, customer, now);
    await tx.emit(tenant, [{ type: 'customer.created', object: customerDocument(customer) }]);
    return customer.id;
  };

  const link = async (tx: Transaction, id: string, now: Date): Promise<string | null> => {
    const before = await lockCustomer(tx.sql, tenant, id);
    if (before?.email !== address) return null;
    const after: CustomerRecord = { ...before, external_id: subject, updated_at: now };
    if (!(await linkCustomer(tx.sql, tenant, after))) return null;
    await admitProved(tx, before, now);
    await tx.emit(tenant, [
      {
        type: 'customer.updated',
        object: customerDocument(after),
        previousAttributes: previousAttributes(before, after),
      },
    ]);
    return id;
  };

  const admit = (): Promise<string | null> =>
    postgres.transaction(async (tx) => {
      const now = clock.now(tenant);
      const account = await findAccount(tx.sql, tenant, address);
      return account === null ? make(tx, now) : link(tx, account.id, now);
    }, tenant);
  // If two first requests are concurrent, the second one finds the customer that the first one created.
  return (await admit()) ?? find();
};
