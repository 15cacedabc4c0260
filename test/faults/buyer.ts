// Buyers who order during faults, and record their answers.
import { randomUUID } from 'node:crypto';
import { type Keys, sendTo } from '#test/support/stoa.ts';
import { BrokenPromise } from './broken_promise.ts';
import type { Cluster } from './cluster.ts';

export interface BuyerTarget {
  readonly cluster: Cluster;
  readonly keys: Keys;
  readonly variantId: string;
}

const PACE_MS = 40;
const REST_MS = 50;
const PAGE = 100;
const READ_MS_MAX = 180_000;

export class Buyer {
  /** The order that was acknowledged, by its note; null where the buyer was stopped before one was. */
  readonly placed = new Map<string, string | null>();
  readonly #target: BuyerTarget;
  #edge: number;
  #done = 0;
  #stopped = false;
  #problem: unknown = null;
  #running: Promise<void> = Promise.resolve();

  constructor(target: BuyerTarget, edge: number) {
    this.#target = target;
    this.#edge = edge;
  }

  /** Orders that were acknowledged. */
  get done(): number {
    return this.#done;
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

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await Bun.sleep(PACE_MS * (0.5 + Math.random()));
      const note = randomUUID();
      this.placed.set(note, null);
      while (!this.#stopped && !(await this.#order(note))) await Bun.sleep(REST_MS);
    }
  }

  /** Under one key, so that it is one order however often it is asked for. */
  async #order(note: string): Promise<boolean> {
    const { cluster, keys, variantId } = this.#target;
    const { address } = cluster.edges[this.#edge % cluster.edges.length]!;
    const reply = await sendTo(address, 'POST', '/v1/orders', {
      key: keys.secret_key,
      signWith: keys.hmac_secret,
      headers: { 'Idempotency-Key': note },
      body: { items: [{ variant_id: variantId, quantity: 1 }], email: 'ann@example.com', note },
    }).catch((problem: unknown) => {
      // A balancer in front of the edges would do the same.
      if (problem instanceof TypeError || (problem as { code?: string }).code) return null;
      throw problem;
    });
    if (reply?.status === 201) {
      this.placed.set(note, reply.body.order.id);
      this.#done++;
      return true;
    }
    if (reply && reply.status < 500 && ![409, 429].includes(reply.status))
      throw new BrokenPromise(`An order was answered ${reply.status}: ${reply.text}`);
    if (!reply) this.#edge++;
    return false;
  }
}

interface Listed {
  readonly id: string;
  readonly note: string;
}

/** All orders of the store by its API. */
const ordersOf = async ({ cluster, keys }: BuyerTarget): Promise<Listed[]> => {
  const orders: Listed[] = [];
  let cursor: string | null = '';
  for (const until = performance.now() + READ_MS_MAX; cursor !== null; ) {
    const path = `/v1/orders?limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const reply = await sendTo(cluster.edges[0]!.address, 'GET', path, { key: keys.secret_key });
    if (reply.status === 200) {
      orders.push(...reply.body.orders);
      cursor = reply.body.pagination.next_cursor;
    } else if (performance.now() > until) throw new BrokenPromise(`The orders cannot be read: ${reply.text}`);
    else await Bun.sleep(REST_MS);
  }
  return orders;
};

/** Throws where an acknowledged order is missing, or one is there twice. */
export const ordersSettled = async (target: BuyerTarget, buyers: readonly Buyer[]): Promise<void> => {
  const there = new Map<string, string[]>();
  for (const { id, note } of await ordersOf(target)) there.set(note, [...(there.get(note) ?? []), id]);
  for (const buyer of buyers)
    for (const [note, id] of buyer.placed) {
      const found = there.get(note) ?? [];
      if (id !== null && !found.includes(id)) throw new BrokenPromise(`The acknowledged order ${id} is missing.`);
      if (found.length > 1) throw new BrokenPromise(`The order ${note} is there ${found.length} times.`);
    }
};
