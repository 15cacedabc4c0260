// Which group's price lists apply to a customer: asked of the customers, kept for half a minute or until a notice.
import { type Call, notFound, Refusal, type Tenant, tenantKey } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';

const AGE_MS_MAX = 30_000;
const CUSTOMERS_MAX = 50_000;

interface Known {
  readonly group: string | null;
  readonly until: number;
}

const keyOf = (tenant: Tenant, id: string): string => `${tenantKey(tenant)}/${id}`;

export class Customers {
  readonly #foundation: Pick<Foundation, 'ask' | 'clock'>;
  readonly #known = new Map<string, Known>();

  constructor(foundation: Pick<Foundation, 'ask' | 'clock'>) {
    this.#foundation = foundation;
  }

  /** At once where it is known; refused where there is no such customer. */
  groupOf(call: Call, id: string): string | null | Refusal | Promise<string | null | Refusal> {
    const known = this.#known.get(keyOf(call.tenant, id));
    return known && known.until > this.#foundation.clock.real() ? known.group : this.#ask(call, id, known);
  }

  forget(tenant: Tenant, id: string): void {
    this.#known.delete(keyOf(tenant, id));
  }

  /** A sandbox was reset: whoever is known is asked for once more. */
  forgetAll(): void {
    this.#known.clear();
  }

  async #ask(
    { tenant, deadline, requestId, trace }: Call,
    id: string,
    known?: Known,
  ): Promise<string | null | Refusal> {
    const reply = await this.#foundation.ask(
      'CustomerDirectory/FindCustomer',
      tenant,
      { customer_id: id },
      { deadline, requestId, trace },
    );
    if (reply instanceof Refusal && reply.code === 'not_found') return notFound('customer', 'customer_id');
    if (reply instanceof Refusal) {
      // Without the database what was known is the best there is.
      if (known) return known.group;
      throw new Unavailable('The customer cannot be looked up now.');
    }
    const { group } = reply.customer;
    if (this.#known.size >= CUSTOMERS_MAX) this.#known.clear();
    this.#known.set(keyOf(tenant, id), { group, until: this.#foundation.clock.real() + AGE_MS_MAX });
    return group;
  }
}
