// What pricing knows of a customer, the group whose price lists apply and the address whose uses count: asked of the
// customers, kept for half a minute or until a notice.
import { type Call, notFound, Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { nameKey, normalEmail } from '#values/typed_name.ts';

const AGE_MS_MAX = 30_000;
const CUSTOMERS_MAX = 50_000;

export interface PricedShopper {
  readonly group: string | null;
  /** The normal form of the account's address. */
  readonly email: string;
}

interface CachedShopper extends PricedShopper {
  readonly until: number;
}

export class Customers {
  readonly #runtime: Pick<Runtime, 'ask' | 'clock'>;
  readonly #known = new Map<TenantKey, CachedShopper>();

  constructor(runtime: Pick<Runtime, 'ask' | 'clock'>) {
    this.#runtime = runtime;
  }

  /** At once where it is known; refused where there is no such customer. */
  find(call: Call, id: string): PricedShopper | Refusal | Promise<PricedShopper | Refusal> {
    const known = this.#known.get(tenantKey(call.tenant, id));
    return known && known.until > this.#runtime.clock.real() ? known : this.#ask(call, id, known);
  }

  forget(tenant: Tenant, id: string): void {
    this.#known.delete(tenantKey(tenant, id));
  }

  /** A sandbox was reset: every customer is asked for once more. */
  forgetAll(): void {
    this.#known.clear();
  }

  async #ask(
    { tenant, deadline, requestId, trace }: Call,
    id: string,
    known?: CachedShopper,
  ): Promise<PricedShopper | Refusal> {
    const reply = await this.#runtime.ask(
      'CustomerDirectory/FindCustomer',
      tenant,
      { customer_id: id },
      { deadline, requestId, trace },
    );
    if (reply instanceof Refusal && reply.code === 'not_found') return notFound('customer', 'customer_id');
    if (reply instanceof Refusal) {
      // Without the database what was known is the best there is.
      if (known) return known;
      throw new Unavailable('The customer cannot be looked up now.');
    }
    const { group, email } = reply.customer;
    const found: CachedShopper = {
      group: group === null ? null : nameKey(group),
      email: normalEmail(email),
      until: this.#runtime.clock.real() + AGE_MS_MAX,
    };
    if (this.#known.size >= CUSTOMERS_MAX) this.#known.clear();
    this.#known.set(tenantKey(tenant, id), found);
    return found;
  }
}
