// Caches the customer's data that pricing needs: the group, which selects price lists, and the email address, by which
// usage limits count.
import { type Call, notFound, Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { nameKey, normalEmail } from '#values/text.ts';

export const identitiesOf = (customer: string | null, emails: readonly (string | null | undefined)[]): string[] => {
  const addresses = emails.filter((email): email is string => !!email).map(normalEmail);
  return [...new Set(customer === null ? addresses : [customer.toLowerCase(), ...addresses])];
};

const VALID_MS = 30_000;
const CUSTOMERS_MAX = 50_000;

export interface PricingCustomer {
  readonly group: string | null;
  /** In normalised form. */
  readonly email: string;
}

interface CachedCustomer extends PricingCustomer {
  readonly validUntilMs: number;
}

export class CustomerCache {
  readonly #runtime: Pick<Runtime, 'ask' | 'clock'>;
  readonly #cached = new Map<TenantKey, CachedCustomer>();

  constructor(runtime: Pick<Runtime, 'ask' | 'clock'>) {
    this.#runtime = runtime;
  }

  find(call: Call, id: string): PricingCustomer | Refusal | Promise<PricingCustomer | Refusal> {
    const cached = this.#cached.get(tenantKey(call.tenant, id));
    return cached && cached.validUntilMs > this.#runtime.clock.real() ? cached : this.#ask(call, id, cached);
  }

  forget(tenant: Tenant, id: string): void {
    this.#cached.delete(tenantKey(tenant, id));
  }

  forgetAll(): void {
    this.#cached.clear();
  }

  async #ask(
    { tenant, deadline, requestId, trace }: Call,
    id: string,
    cached?: CachedCustomer,
  ): Promise<PricingCustomer | Refusal> {
    const reply = await this.#runtime.ask(
      'CustomerDirectory/FindCustomer',
      tenant,
      { customer_id: id },
      { deadline, requestId, trace },
    );
    if (reply instanceof Refusal && reply.code === 'not_found') return notFound('customer', 'customer_id');
    if (reply instanceof Refusal) {
      // Uses an outdated entry while the customer directory is unavailable, because otherwise there would be no price.
      if (cached) return cached;
      throw new Unavailable('The customer directory could not return the customer.');
    }
    const { group, email } = reply.customer;
    const found: CachedCustomer = {
      group: group === null ? null : nameKey(group),
      email: normalEmail(email),
      validUntilMs: this.#runtime.clock.real() + VALID_MS,
    };
    if (this.#cached.size >= CUSTOMERS_MAX) this.#cached.clear();
    this.#cached.set(tenantKey(tenant, id), found);
    return found;
  }
}
