// Records for each tenant the notice that last invalidated everything cached about the tenant.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';

const TENANTS_MAX = 50_000;

export class TenantInvalidations {
  readonly #lastNotice = new Map<TenantKey, number>();
  #floor = 0;
  #noticeCount = 0;

  /** Number of notices so far. Must be read before a call, so that notices during the call make its response stale. */
  get noticeCount(): number {
    return this.#noticeCount;
  }

  invalidate(tenant: Tenant): void {
    if (this.#lastNotice.size >= TENANTS_MAX) this.invalidateAll();
    this.#lastNotice.set(tenantKey(tenant), ++this.#noticeCount);
  }

  isUnchangedSince(tenant: TenantKey, since: number): boolean {
    return since >= this.#floor && since >= (this.#lastNotice.get(tenant) ?? 0);
  }

  invalidateAll(): void {
    this.#lastNotice.clear();
    this.#floor = ++this.#noticeCount;
  }
}
