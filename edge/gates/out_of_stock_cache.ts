// Answers purchases of sold-out variants from a recent refusal, for 300 ms. Most buyers of such a variant arrive within
// seconds.
import type { Refusal, Tenant, TenantKey } from '#runtime/call/call.ts';
import { tenantKey } from '#runtime/call/call.ts';
import { RecentMap } from '#values/recent_map.ts';
import type { Freshness } from './freshness.ts';

/** Longest time for which a restock can go unnoticed if its notice is lost. */
const TTL_MS = 300;
const HINTS_MAX = 10_000;

export interface PurchaseAttempt {
  readonly tenant: Tenant;
  readonly rpc: string;
  readonly session: string;
  readonly body: Body;
  /** Newest catalogue revision at the time of the request; a later one may have brought stock. */
  readonly revision: number;
}

interface Hint {
  readonly refusal: Refusal;
  readonly revision: number;
  readonly until: number;
}

type Body = Readonly<Record<string, unknown>>;

const isLine = (line: unknown): line is { readonly variant_id: string } =>
  typeof line === 'object' && line !== null && 'variant_id' in line && typeof line.variant_id === 'string';

const linesOf = ({ variant_id, product_id, items }: Body): readonly unknown[] =>
  Array.isArray(items) ? items : [{ variant_id: variant_id ?? product_id }];

const namesVariants = (body: Body): boolean => {
  const lines = linesOf(body);
  return lines.length > 0 && lines.every(isLine);
};

const variantCountOf = (body: Body): number =>
  new Set(linesOf(body).map((line) => isLine(line) && line.variant_id)).size;

/** Requests of different cart owners share a refusal; requests with and without an owner do not. */
const keyOf = ({ tenant, rpc, session, body }: PurchaseAttempt): TenantKey => {
  const { variant_id, product_id, customer_id, quantity, items } = body;
  const hasOwner = session !== '' || typeof customer_id === 'string';
  return tenantKey(tenant, JSON.stringify([rpc, hasOwner, variant_id, product_id, quantity, items]));
};

export class OutOfStockCache {
  readonly #freshness: Freshness;
  readonly #now: () => number;
  readonly #hints = new RecentMap<TenantKey, Hint>(HINTS_MAX);
  #until = 0;

  constructor(freshness: Freshness, now: () => number = () => performance.now()) {
    this.#freshness = freshness;
    this.#now = now;
  }

  /**
   * Returns null if the body names no variants. Must not be called for requests with an idempotency key: such a request
   * may be the retry of the purchase that took the last unit.
   */
  attemptOf(rpc: string, tenant: Tenant, session: string, body: Body): PurchaseAttempt | null {
    return namesVariants(body)
      ? { tenant, rpc, session, body, revision: this.#freshness.newest(tenant, 'catalog') }
      : null;
  }

  refusal(attempt: PurchaseAttempt): Refusal | null {
    if (this.#now() >= this.#until) {
      this.#hints.clear();
      return null;
    }
    const key = keyOf(attempt);
    const hint = this.#hints.get(key);
    if (!hint) return null;
    if (hint.revision === attempt.revision && this.#now() < hint.until) return hint.refusal;
    this.#hints.delete(key);
    return null;
  }

  /**
   * Stores a refusal only if all variants are out of stock, because the services report other faults of a request
   * first.
   */
  remember(attempt: PurchaseAttempt, refusal: Refusal): void {
    const { tenant, body, revision } = attempt;
    if (refusal.extra.causes?.length !== variantCountOf(body) || this.#freshness.newest(tenant, 'catalog') !== revision)
      return;
    this.#until = this.#now() + TTL_MS;
    this.#hints.set(keyOf(attempt), { refusal, revision, until: this.#until });
  }
}
