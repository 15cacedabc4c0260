// What the services just refused since none was left: for a moment the edge says the same, without asking again. When a
// thing is sold out, most of those who want it come within seconds.
import type { Refusal, Tenant, TenantKey } from '#runtime/call/call.ts';
import { tenantKey } from '#runtime/call/call.ts';
import type { Revisions } from './revision.ts';

/** Stock that comes back unheard of is missed for no longer. */
const LIVES_MS = 300;
const HINTS_MAX = 10_000;

/** One wish to buy, as far as the answer depends on it once there is nothing left. */
export interface BuyAttempt {
  readonly tenant: Tenant;
  readonly rpc: string;
  readonly session: string;
  readonly body: Body;
  /** The tenant's revision when it was made: whatever came in since may have brought stock. */
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

const namesThings = (body: Body): boolean => {
  const lines = linesOf(body);
  return lines.length > 0 && lines.every(isLine);
};

/** How many things it names. */
const namesOf = (body: Body): number => new Set(linesOf(body).map((line) => isLine(line) && line.variant_id)).size;

/** Whose cart it is makes no difference, but whether it has an owner does. */
const keyOf = ({ tenant, rpc, session, body }: BuyAttempt): TenantKey => {
  const { variant_id, product_id, customer_id, quantity, items } = body;
  const whose = session !== '' || typeof customer_id === 'string';
  return tenantKey(tenant, JSON.stringify([rpc, whose, variant_id, product_id, quantity, items]));
};

export class SoldOut {
  readonly #revisions: Revisions;
  readonly #now: () => number;
  readonly #hints = new Map<TenantKey, Hint>();
  /** When the last of them ends. */
  #until = 0;

  constructor(revisions: Revisions, now: () => number = () => performance.now()) {
    this.#revisions = revisions;
    this.#now = now;
  }

  /**
   * Null where the body names nothing to buy. A call with an idempotency key is none: it may be a retry of the one that
   * got the last piece.
   */
  wish(rpc: string, tenant: Tenant, session: string, body: Body): BuyAttempt | null {
    return namesThings(body) ? { tenant, rpc, session, body, revision: this.#revisions.newest(tenant) } : null;
  }

  /** What the services said of the same wish a moment ago. */
  refusal(wish: BuyAttempt): Refusal | null {
    if (this.#now() >= this.#until) {
      this.#hints.clear();
      return null;
    }
    const key = keyOf(wish);
    const hint = this.#hints.get(key);
    if (!hint) return null;
    if (hint.revision === wish.revision && this.#now() < hint.until) return hint.refusal;
    this.#hints.delete(key);
    return null;
  }

  /** Whatever else is wrong with a wish is told only by the services: all that it names must be sold out. */
  learn(wish: BuyAttempt, refusal: Refusal): void {
    const { tenant, body, revision } = wish;
    if (refusal.extra.soldOut?.length !== namesOf(body) || this.#revisions.newest(tenant) !== revision) return;
    if (this.#hints.size >= HINTS_MAX) this.#hints.clear();
    this.#until = this.#now() + LIVES_MS;
    this.#hints.set(keyOf(wish), { refusal, revision, until: this.#until });
  }

  get empty(): boolean {
    return this.#hints.size === 0;
  }
}
