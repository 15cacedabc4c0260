// The customer whom somebody else's word means: the one of that external id, or one of our own; else the one with that
// e-mail address, who is linked; else a new one (contract 6, "Both map to the customer…").
import type { Tenant } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import type { Subject } from './assertion.ts';
import { type CustomerRecord, difference, newCustomer, shown } from './customer.ts';
import { accountEmail } from './email.ts';
import { findAccount, findBySubject, insertCustomer, linkCustomer } from './table/customer.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Null: nobody; the address is known under another external id, or there is none to make a customer of. */
export const customerOf = async (
  { postgres, clock }: Pick<Foundation, 'postgres' | 'clock'>,
  tenant: Tenant,
  { subject, email }: Subject,
): Promise<string | null> => {
  const find = () => findBySubject(postgres.sql, tenant, subject, UUID.test(subject) ? subject : null);
  const known = await find();
  if (known !== null || email === null) return known;

  const admit = (): Promise<string | null> =>
    postgres.transaction(async (tx) => {
      const now = clock.now(tenant);
      const account = await findAccount(tx.sql, tenant, accountEmail(email));
      if (account === null) {
        const customer = newCustomer({ email: accountEmail(email), external_id: subject }, now);
        if ((await insertCustomer(tx.sql, tenant, customer)) !== null) return null;
        await tx.emit(tenant, [{ type: 'customer.created', object: shown(customer) }]);
        return customer.id;
      }
      // Somebody else's word does not move an account from one of his names to another.
      const { hash: _, ...before } = account;
      const after: CustomerRecord = { ...before, external_id: subject, updated_at: now };
      if (!(await linkCustomer(tx.sql, tenant, after))) return null;
      await tx.emit(tenant, [
        { type: 'customer.updated', object: shown(after), previousAttributes: difference(before, after) },
      ]);
      return after.id;
    });
  // Of two first requests at once the second finds what the first has made.
  return (await admit()) ?? find();
};
