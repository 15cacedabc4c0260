// What payments need to know of a store: its currency, and whether a customer is one of its own.
import type { FindCustomerResponse } from '#proto/gen/customer.ts';
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { Refusal, Rendered, type Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Ask } from '#runtime/foundation.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export const storeCurrency = async (ask: Ask, tenant: Tenant): Promise<Currency> => {
  const reply = await ask<GetProfileResponse>('StoreDirectory/GetProfile', tenant, { store: tenant.store });
  if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable('The store is not known.');
  return currencyOf(reply.currency);
};

/** Why the customer cannot be named here; null where it can. */
export const refuseCustomer = async (ask: Ask, tenant: Tenant, customer: string): Promise<Refusal | null> => {
  const reply = await ask<FindCustomerResponse>('CustomerDirectory/FindCustomer', tenant, { customer_id: customer });
  return reply instanceof Refusal ? reply : null;
};
