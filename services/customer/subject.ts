// The customer whom another system's assertion means: the one of that external id, or one of our own; else the one with that
// e-mail address, who is linked; else a new one. An identity provider's assertion proves the address. A merchant's does not: it
// would open the shopper's accounts at other merchants.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { isGuestAddress } from '#services/order/transaction.ts';
import { normalEmail } from '#values/typed_name.ts';
import type { AssertedCustomer } from './assertion.ts';
import { type CustomerRecord, difference, newCustomer, shown } from './customer.ts';
import { proveEmail } from './email_proof.ts';
import { endCredentials } from './sign_in.ts';
import { findAccount, findBySubject, insertCustomer, linkCustomer, lockCustomer } from './table/customer.ts';
import { emailIsProved } from './table/email_proof.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Doors = Pick<Runtime, 'postgres' | 'clock' | 'notices'>;

/** Null: no customer; the address is known under another external id, or there is none to make a customer of. */
export const customerOf = async (
  { postgres, clock, notices }: Doors,
  tenant: Tenant,
  { subject, email, proves }: AssertedCustomer,
): Promise<string | null> => {
  const find = () => findBySubject(postgres.sql, tenant, subject, UUID.test(subject) ? subject : null);
  const address = email === null ? null : normalEmail(email);

  /** A password set before the address was proved may be another person’s. */
  const admitProved = async (tx: Transaction, customer: CustomerRecord, now: Date): Promise<void> => {
    if (!(await emailIsProved(tx.sql, tenant, customer))) await endCredentials(tx, notices, tenant, customer.id);
    if (proves) await proveEmail(tx, tenant, customer, now);
  };

  const proveKnown = async (id: string): Promise<void> => {
    if (!proves || address === null) return;
    const { sql } = postgres;
    const [proved, ordered] = await Promise.all([
      emailIsProved(sql, tenant, { id, email: address }),
      isGuestAddress(sql, tenant, address),
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
    if (proves) await proveEmail(tx, tenant, customer, now);
    await tx.emit(tenant, [{ type: 'customer.created', object: shown(customer) }]);
    return customer.id;
  };

  const link = async (tx: Transaction, id: string, now: Date): Promise<string | null> => {
    const before = await lockCustomer(tx.sql, tenant, id);
    if (before?.email !== address) return null;
    // Another provider's word does not move an account from one of its names to another.
    const after: CustomerRecord = { ...before, external_id: subject, updated_at: now };
    if (!(await linkCustomer(tx.sql, tenant, after))) return null;
    await admitProved(tx, before, now);
    await tx.emit(tenant, [
      { type: 'customer.updated', object: shown(after), previousAttributes: difference(before, after) },
    ]);
    return id;
  };

  const admit = (): Promise<string | null> =>
    postgres.transaction(async (tx) => {
      const now = clock.now(tenant);
      const account = await findAccount(tx.sql, tenant, address);
      return account === null ? make(tx, now) : link(tx, account.id, now);
    }, tenant);
  // Of two first requests at once the second finds what the first has made.
  return (await admit()) ?? find();
};
