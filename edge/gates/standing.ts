// Refusals that stand for a moment, whoever asks: the services said that they have no room for more calls of a kind. What
// cannot be served anyway then costs nobody anything behind the edge, its limit's owner neither.
import type { Refusal, Tenant } from '#runtime/call.ts';
import { tenantKey } from '#runtime/call.ts';

const STANDING_MAX = 10_000;

export class Standing {
  readonly #now: () => number;
  /** By rpc and tenant: each tenant's calls are answered by one host, and only that one has no room. */
  readonly #refusals = new Map<string, { readonly refusal: Refusal; readonly until: number }>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  refusal(rpc: string, tenant: Tenant): Refusal | null {
    if (this.#refusals.size === 0) return null;
    const key = keyOf(rpc, tenant);
    const found = this.#refusals.get(key);
    if (!found) return null;
    if (this.#now() < found.until) return found.refusal;
    this.#refusals.delete(key);
    return null;
  }

  learn(rpc: string, tenant: Tenant, refusal: Refusal): void {
    const { standsMs } = refusal.extra;
    if (standsMs === undefined) return;
    if (this.#refusals.size >= STANDING_MAX) this.#refusals.clear();
    this.#refusals.set(keyOf(rpc, tenant), { refusal, until: this.#now() + standsMs });
  }
}

const keyOf = (rpc: string, tenant: Tenant): string => `${rpc} ${tenantKey(tenant)}`;
