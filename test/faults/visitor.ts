// Visitors of a shop while its processes come and go: a balancer routes them, and they record failures and acknowledged
// writes.
import { randomUUID } from 'node:crypto';
import { type Keys, type SendOptions, sendTo } from '#test/support/stoa.ts';
import type { Member } from './cluster.ts';

const LOOK_MS = 100;
/** Between two requests: a process is to be stopped in the middle of some, not by a machine that has no time for more. */
const PACE_MS = 40;

/** Sends requests to edges whose health was good when it last looked. */
export class Balancer {
  readonly #well = new Set<Member>();
  #turn = 0;
  #stopped = false;

  constructor(edges: readonly Member[]) {
    for (const edge of edges) void this.#watch(edge);
  }

  get well(): number {
    return this.#well.size;
  }

  next(): Member {
    const edges = [...this.#well];
    const edge = edges[this.#turn++ % edges.length];
    if (!edge) throw new Error('No edge is well.');
    return edge;
  }

  stop(): void {
    this.#stopped = true;
  }

  async #watch(edge: Member): Promise<void> {
    for (; !this.#stopped; await Bun.sleep(LOOK_MS)) {
      const look = fetch(`${edge.address}/v1/health`, { headers: { Connection: 'close' } });
      const well = await look.then(
        ({ status }) => status === 200,
        () => false,
      );
      if (well) this.#well.add(edge);
      else this.#well.delete(edge);
    }
  }
}

export interface Failure {
  readonly what: string;
  readonly why: string;
}

interface Ways {
  /** The one edge that it goes to, whether or not a host is behind it; null: where the balancer sends it. */
  readonly edge?: Member | null;
  readonly anyRelease?: boolean;
}

/** One visitor of the shop, who records acknowledged writes. */
export class Visitor {
  readonly failures: Failure[] = [];
  requests = 0;
  pieces = 0;
  orders = 0;
  readonly #balancer: Balancer;
  readonly #keys: Keys;
  readonly #variantId: string;
  readonly #session = `visitor-${randomUUID()}`;
  readonly #edge: Member | null;
  readonly #anyRelease: boolean;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(balancer: Balancer, keys: Keys, variantId: string, { edge = null, anyRelease = false }: Ways = {}) {
    this.#edge = edge;
    this.#anyRelease = anyRelease;
    this.#balancer = balancer;
    this.#keys = keys;
    this.#variantId = variantId;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async inCart(): Promise<number> {
    const { body } = await this.#send('GET', '/v1/cart');
    return body.cart.items.reduce((sum: number, { quantity }: { quantity: number }) => sum + quantity, 0);
  }

  async #run(): Promise<void> {
    const item = { variant_id: this.#variantId, quantity: 1 };
    const add = async (headers: Readonly<Record<string, string>>): Promise<void> => {
      if (await this.#try('POST', '/v1/cart/items', { body: item, headers })) this.pieces++;
    };
    const secret = this.#keys.secret_key;
    const turns = [
      () => add({}),
      () => this.#try('GET', '/v1/products'),
      () => add({ 'Idempotency-Key': randomUUID() }),
      () => this.#try('POST', '/v1/search', { body: { query: 'lamp' } }),
      async () => {
        // Two orders with one body and one timestamp would have the same signature.
        const order = { items: [item], email: 'ann@example.com', note: String(this.orders) };
        if (await this.#try('POST', '/v1/orders', { key: secret, signWith: this.#keys.hmac_secret, body: order }))
          this.orders++;
      },
      () => this.#try('GET', '/v1/cart'),
      () => add({}),
      () => this.#try('GET', '/v1/webhook-events?limit=1', { key: secret }),
      () => this.#try('PATCH', '/v1/store', { key: secret, body: { description: randomUUID() } }),
    ];
    for (let turn = 0; !this.#stopped; turn++) {
      await turns[turn % turns.length]!();
      await Bun.sleep(PACE_MS * Math.random());
    }
  }

  #send(method: string, path: string, options: SendOptions = {}) {
    const headers = { 'X-Session-Id': this.#session, ...options.headers };
    const { address } = this.#edge ?? this.#balancer.next();
    return sendTo(address, method, path, {
      key: this.#keys.publishable_key,
      anyRelease: this.#anyRelease,
      ...options,
      headers,
    });
  }

  async #try(method: string, path: string, options: SendOptions = {}): Promise<boolean> {
    this.requests++;
    const what = `${method} ${path}`;
    try {
      const { status, text } = await this.#send(method, path, options);
      if (status < 300) return true;
      this.failures.push({ what, why: `${status} ${text}` });
    } catch (problem) {
      this.failures.push({ what, why: String(problem) });
    }
    return false;
  }
}

/** Waits for events, one long request after the other. */
export const follow = (balancer: Balancer, keys: Keys) => {
  const failures: Failure[] = [];
  let stopped = false;
  const run = async (): Promise<void> => {
    for (let position = 'now'; !stopped; ) {
      const path = `/v1/webhook-events?follow=${encodeURIComponent(position)}&type=payment.failed&wait_seconds=8`;
      const ask = async () => sendTo(balancer.next().address, 'GET', path, { key: keys.secret_key });
      const reply = await ask().catch(String);
      if (typeof reply === 'string') {
        failures.push({ what: 'follow', why: reply });
        await Bun.sleep(LOOK_MS);
      } else if (reply.status !== 200) failures.push({ what: 'follow', why: `${reply.status} ${reply.text}` });
      else position = reply.body.position;
    }
  };
  const running = run();
  return {
    failures,
    stop: async (): Promise<void> => {
      stopped = true;
      await running;
    },
  };
};
