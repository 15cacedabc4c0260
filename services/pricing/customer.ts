// Caches the customer's data that pricing needs: the group, which selects price lists, and the email address, by which
// usage limits count.
import { type Call, notFound, Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type Loaded, LookupCache } from '#runtime/flow/lookup_cache.ts';
import { nameKey, normalEmail } from '#values/text.ts';

export const identitiesOf = (customer: string | null, emails: readonly (string | null | undefined)[]): string[] => {
  const addresses = emails.filter((email): email is string => !!email).map(normalEmail);
  return [...new Set(customer === null ? addresses : [customer.toLowerCase(), ...addresses])];
};

const VALID_MS = 30_000;
const RETRY_MS = 1_000;
const CUSTOMERS_MAX = 50_000;

export interface PricingCustomer {
  readonly group: string | null;
  /** In normalised form. */
  readonly email: string;
}

export class CustomerCache {
  readonly #cache: LookupCache<TenantKey, PricingCustomer, { readonly call: Call; readonly id: string }, Refusal>;

  constructor({ ask, clock }: Pick<Runtime, 'ask' | 'clock'>) {
    this.#cache = new LookupCache({
      now: () => clock.real(),
      entriesMax: CUSTOMERS_MAX,
      load: async (_, { call, id }, before): Promise<Loaded<PricingCustomer> | Refusal> => {
        const { tenant, requestId, trace } = call;
        // Callers share the load, so it does not end at the deadline of the first.
        const options = { requestId, trace };
        const reply = await ask('CustomerDirectory/FindCustomer', tenant, { customer_id: id }, options);
        if (reply instanceof Refusal && reply.code === 'not_found') return notFound('customer', 'customer_id');
        if (reply instanceof Refusal) {
          // Uses a stale value while the customer directory is unavailable, because otherwise there would be no price.
          if (before) return { value: before, ttlMs: RETRY_MS };
          throw new Unavailable('The customer directory could not return the customer.');
        }
        const { group, email } = reply.customer;
        return {
          value: { group: group === null ? null : nameKey(group), email: normalEmail(email) },
          ttlMs: VALID_MS,
        };
      },
    });
  }

  find(call: Call, id: string): PricingCustomer | Promise<PricingCustomer | Refusal> {
    return this.#cache.get(tenantKey(call.tenant, id), { call, id });
  }

  forget(tenant: Tenant, id: string): void {
    this.#cache.forget(tenantKey(tenant, id));
  }

  forgetAll(): void {
    this.#cache.forgetAll();
  }
}
