// When the edge last heard of each tenant as a whole, counted in notices: what was asked for before that may be stale.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';

/** Past it every tenant counts as heard of. */
const TENANTS_MAX = 50_000;

export class LastHeard {
  readonly #last = new Map<TenantKey, number>();
  #floor = 0;
  #now = 0;

  /** Asked for before an answer is. */
  get now(): number {
    return this.#now;
  }

  hear(tenant: Tenant): void {
    if (this.#last.size >= TENANTS_MAX) this.forget();
    this.#last.set(tenantKey(tenant), ++this.#now);
  }

  /** Whether nothing was heard of it since; `tenant`: its key. */
  silent(tenant: TenantKey, since: number): boolean {
    return since >= this.#floor && since >= (this.#last.get(tenant) ?? 0);
  }

  /** A link was lost: anything may have been said. */
  forget(): void {
    this.#last.clear();
    this.#floor = ++this.#now;
  }
}
