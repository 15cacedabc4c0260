// Finds the customers that one shopper has at several stores. Customers with the same e-mail address belong together if
// each has proved it.
import type { CustomerDirectoryRpcs, ShopperCustomer } from '#proto/gen/customer_directory.ts';
import { notFound, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { customerDocument } from './customer.ts';
import { emailIsProved } from './table/challenge.ts';
import { findCustomer } from './table/customer.ts';
import { findAccessAmong, provedCustomers } from './table/shopper.ts';

export const shopperHandlers = (clock: Clock): Pick<Handlers<CustomerDirectoryRpcs>, 'FindShopper'> => ({
  FindShopper: query(async (sql, { tenant: { environment } }, { stores, token }) => {
    const access = await findAccessAmong(sql, environment, stores, sha256(token));
    if (access === null) return notFound('session');
    const home: Tenant = { store: access.store, environment };
    if (access.expires_at <= clock.now(home)) return notFound('session');
    const own = await findCustomer(sql, home, access.customer);
    if (own === null) return notFound('session');
    const proved = await emailIsProved(sql, home, own);
    const joined = proved ? await provedCustomers(sql, environment, stores, own.email) : [];
    const customers: ShopperCustomer[] = [
      { store_id: home.store, customer: customerDocument(own) },
      ...joined
        .filter(({ store }) => store !== home.store)
        .map(({ store, ...customer }) => ({ store_id: store, customer: customerDocument(customer) })),
    ];
    return { email: own.email, proved, customers };
  }),
});
