// A rolling restart under load: two hosts and two edges behind a balancer that goes by their health, each told to end and
// started anew. Every request is answered, and every acknowledged write is there.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type SendOptions, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { openPlace } from './trial.ts';

const LIMIT_MS = 600_000;
const PATIENCE_MS = 60_000;
/** As long as health says so before anything else ends: several looks of the balancer. */
const DRAIN_S = 2;
const LOOK_MS = 100;
const VISITORS = 6;

let home: string;
let database: TestDatabase;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-rolling-'));
  database = await freshDatabase();
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 2, edges: 2, nats: 1, drainSeconds: DRAIN_S });
}, LIMIT_MS);
afterAll(async () => {
  await cluster?.stop();
  await database?.drop();
  await rm(home, { recursive: true, force: true });
}, LIMIT_MS);

/** Sends requests to edges whose health was good when it last looked. */
class Balancer {
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

interface Failure {
  readonly what: string;
  readonly why: string;
}

/** One visitor of the shop, who knows what was acknowledged. */
class Visitor {
  readonly failures: Failure[] = [];
  requests = 0;
  pieces = 0;
  orders = 0;
  readonly #balancer: Balancer;
  readonly #keys: Keys;
  readonly #variantId: string;
  readonly #session = `rolling-${randomUUID()}`;
  /** Whether it goes where the balancer sends it, or to one edge whether or not a host is behind it. */
  readonly #balanced: boolean;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(balancer: Balancer, keys: Keys, variantId: string, balanced = true) {
    this.#balanced = balanced;
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
        // Of two orders with one body and one timestamp the signatures would be one.
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
      await Bun.sleep(10 * Math.random());
    }
  }

  #send(method: string, path: string, options: SendOptions = {}) {
    const headers = { 'X-Session-Id': this.#session, ...options.headers };
    const { address } = this.#balanced ? this.#balancer.next() : cluster.edges[0]!;
    return sendTo(address, method, path, { key: this.#keys.publishable_key, ...options, headers });
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

test(
  'no request fails while each of two edges and two hosts is restarted, and nothing acknowledged is lost',
  async () => {
    const { keys, shop } = await openPlace(cluster, PATIENCE_MS);
    const balancer = new Balancer(cluster.edges);
    await eventually(() => expect(balancer.well).toBe(2), PATIENCE_MS);
    const visitors = Array.from({ length: VISITORS }, () => new Visitor(balancer, keys, shop.variantId));
    const follower = follow(balancer, keys);
    const failures = () => [...visitors.flatMap((visitor) => visitor.failures), ...follower.failures];
    for (const member of [...cluster.edges, ...cluster.hosts, ...cluster.hosts]) {
      const before = visitors.map(({ requests }) => requests);
      const stopping = performance.now();
      await member.stop();
      expect(performance.now() - stopping, member.name).toBeGreaterThan(DRAIN_S * 1_000);
      await member.start();
      await eventually(() => expect(balancer.well).toBe(2), PATIENCE_MS);
      await eventually(() => {
        for (const [at, { requests }] of visitors.entries()) expect(requests).toBeGreaterThan(before[at]! + 10);
      }, PATIENCE_MS);
      expect(failures(), member.name).toEqual([]);
    }
    await Promise.all([...visitors, follower].map((each) => each.stop()));
    expect(failures()).toEqual([]);
    for (const visitor of visitors) expect(await visitor.inCart()).toBe(visitor.pieces);
    const placed = visitors.reduce((sum, { orders }) => sum + orders, 0);
    expect(placed).toBeGreaterThan(VISITORS);
    balancer.stop();
  },
  LIMIT_MS,
);

test(
  'a host that ends alone and at once answers all that it took, and what it did not take is 503',
  async () => {
    const { keys, shop } = await openPlace(cluster, PATIENCE_MS);
    const [alone, other] = cluster.hosts as [Member, Member];
    const AT_ONCE = { STOA_DRAIN_SECONDS: '0' };
    await other.stop();
    await alone.stop();
    await alone.start(AT_ONCE);
    const balancer = new Balancer(cluster.edges);
    await eventually(() => expect(balancer.well).toBe(2), PATIENCE_MS);
    const visitors = Array.from({ length: VISITORS }, () => new Visitor(balancer, keys, shop.variantId, false));
    const acknowledged = () => visitors.reduce((sum, { pieces, orders }) => sum + pieces + orders, 0);
    for (let turn = 0; turn < 3; turn++) {
      const before = acknowledged();
      await eventually(() => expect(acknowledged()).toBeGreaterThan(before + VISITORS * 4), PATIENCE_MS);
      await alone.stop();
      await alone.start(AT_ONCE);
    }
    await Promise.all(visitors.map((each) => each.stop()));
    const failures = visitors.flatMap((visitor) => visitor.failures);
    expect(failures.filter(({ why }) => !why.startsWith('503 '))).toEqual([]);
    await eventually(async () => {
      for (const visitor of visitors) expect(await visitor.inCart()).toBe(visitor.pieces);
    });
    balancer.stop();
    await other.start();
  },
  LIMIT_MS,
);

/** Waits for events, one long request after the other. */
const follow = (balancer: Balancer, keys: Keys) => {
  const failures: Failure[] = [];
  let stopped = false;
  const run = async (): Promise<void> => {
    for (let position = 'now'; !stopped; ) {
      const path = `/v1/webhook-events?follow=${encodeURIComponent(position)}&type=payment.failed&wait_seconds=8`;
      const reply = await sendTo(balancer.next().address, 'GET', path, { key: keys.secret_key }).catch(String);
      if (typeof reply === 'string') failures.push({ what: 'follow', why: reply });
      else if (reply.status !== 200) failures.push({ what: 'follow', why: `${reply.status} ${reply.text}` });
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
