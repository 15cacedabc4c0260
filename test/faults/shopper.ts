// Shoppers who fill their carts during faults and record their answers: the load of the fault suite, and the evidence for its
// verdict.
import { randomUUID } from 'node:crypto';
import { BrokenPromise } from './broken_promise.ts';
import type { Cluster } from './cluster.ts';

export interface Shop {
  readonly cluster: Cluster;
  readonly key: string;
  readonly variantId: string;
  readonly productId: string;
  /** How long an edge that answers may take to: longer than its own deadline by what the machine may be busy. */
  readonly patienceMs: number;
}

/** Outcome of a request. `lost`: the edge went away before it answered. */
export type Outcome = 'done' | 'unavailable' | 'unknown' | 'lost';

export interface Answered {
  readonly kind: 'write' | 'cart' | 'product';
  readonly outcome: Outcome;
  /** performance.now() */
  readonly askedAt: number;
  readonly tookMs: number;
}

const PACE_MS = 25;
const REST_MS = 50;

interface Reply {
  readonly outcome: Outcome;
  readonly body: string;
}

export class Shopper {
  readonly session = `faults-${randomUUID()}`;
  readonly answers: Answered[] = [];
  /** Whether a write is repeated under its key until its outcome is known: then it counts exactly once. */
  readonly #keyed: boolean;
  readonly #shop: Shop;
  #edge: number;
  #acknowledged = 0;
  #unknown = 0;
  #stopped = false;
  #problem: unknown = null;
  #running: Promise<void> = Promise.resolve();

  constructor(shop: Shop, edge: number, keyed: boolean) {
    this.#shop = shop;
    this.#edge = edge;
    this.#keyed = keyed;
  }

  /** Answer that breaks a promise. */
  get problem(): unknown {
    return this.#problem;
  }

  start(): void {
    this.#running = this.#run();
    this.#running.catch((problem: unknown) => {
      this.#problem = problem;
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Throws where the cart is not what the answers said. */
  async judge(): Promise<number> {
    const held = await this.pieces();
    if (held < this.#acknowledged)
      throw new BrokenPromise(`Of ${this.#acknowledged} acknowledged pieces ${held} are in the cart ${this.session}.`);
    if (held > this.#acknowledged + this.#unknown)
      throw new BrokenPromise(
        `${held} pieces are in the cart ${this.session}: ${this.#acknowledged} were acknowledged, ${this.#unknown} unclear.`,
      );
    return held;
  }

  /** Units in the cart, asked until it answers. */
  async pieces(): Promise<number> {
    for (const until = performance.now() + 2 * this.#shop.patienceMs; ; ) {
      const { outcome, body } = await this.#ask('cart', 'GET', '/v1/cart');
      if (outcome === 'done') return piecesIn(body);
      if (performance.now() > until) throw new BrokenPromise(`The cart ${this.session} cannot be read: ${body}`);
      await Bun.sleep(REST_MS);
    }
  }

  async #run(): Promise<void> {
    const { productId } = this.#shop;
    for (let turn = 0; !this.#stopped; turn++) {
      await Bun.sleep(PACE_MS * (0.5 + Math.random()));
      if (turn % 4 === 3) await this.#ask('product', 'GET', `/v1/products/${productId}`);
      else if (turn % 4 === 1) await this.#look();
      else await this.#add();
    }
  }

  /** A cart never shows less than its acknowledged writes. */
  async #look(): Promise<void> {
    const before = this.#acknowledged;
    const edge = this.#edge;
    const { outcome, body } = await this.#ask('cart', 'GET', '/v1/cart');
    if (outcome !== 'done' || edge !== this.#edge) return;
    const seen = piecesIn(body);
    if (seen < before)
      throw new BrokenPromise(`The cart ${this.session} showed ${seen} pieces of ${before} acknowledged.`);
  }

  async #add(): Promise<void> {
    const body = JSON.stringify({ variant_id: this.#shop.variantId, quantity: 1 });
    const key: Record<string, string> = this.#keyed ? { 'Idempotency-Key': randomUUID() } : {};
    for (;;) {
      const { outcome } = await this.#ask('write', 'POST', '/v1/cart/items', body, key);
      if (outcome === 'done') {
        this.#acknowledged++;
        return;
      }
      // Without a key it is unknown what became of it, and an honest client asks no second time.
      if (!this.#keyed) {
        if (outcome !== 'unavailable') this.#unknown++;
        else await Bun.sleep(REST_MS);
        return;
      }
      if (this.#stopped) {
        this.#unknown++;
        return;
      }
      await Bun.sleep(REST_MS);
    }
  }

  async #ask(
    kind: Answered['kind'],
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    const { cluster, key, patienceMs } = this.#shop;
    const edge = cluster.edges[this.#edge % cluster.edges.length]!;
    const askedAt = performance.now();
    const replyOf = (outcome: Outcome, text: string): Reply => {
      this.answers.push({ kind, outcome, askedAt, tookMs: performance.now() - askedAt });
      return { outcome, body: text };
    };
    let status: number;
    let text: string;
    let retryAfter: string | null;
    try {
      const response = await fetch(`${edge.address}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          'X-Session-Id': this.session,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(patienceMs),
      });
      status = response.status;
      retryAfter = response.headers.get('retry-after');
      text = await response.text();
    } catch (problem) {
      if (edge.answering && performance.now() - askedAt >= patienceMs)
        throw new BrokenPromise(`${method} ${path} had no answer within ${patienceMs} ms: ${problem}`);
      // A balancer in front of the edges would do the same.
      this.#edge++;
      return replyOf('lost', String(problem));
    }
    if (status === 200) return replyOf('done', text);
    if (status === 503) {
      if (!retryAfter) throw new BrokenPromise(`${method} ${path} was answered 503 without Retry-After.`);
      return replyOf('unavailable', text);
    }
    if (status === 500 && kind === 'write') return replyOf('unknown', text);
    throw new BrokenPromise(`${method} ${path} was answered ${status}: ${text}`);
  }
}

const piecesIn = (text: string): number => {
  const { cart } = JSON.parse(text) as { cart: { items: { quantity: number }[] } };
  return cart.items.reduce((sum, { quantity }) => sum + quantity, 0);
};
