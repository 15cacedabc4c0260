// A rolling restart under load: two hosts and two edges behind a balancer that goes by their health, each told to end and
// started anew. Every request is answered, and every acknowledged write is there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { openTrialStore } from './trial.ts';
import { Balancer, follow, Visitor } from './visitor.ts';

const LIMIT_MS = 600_000;
const PATIENCE_MS = 60_000;
/** Time for several health checks of the balancer before anything else ends. */
const DRAIN_S = 2;
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

test(
  'no request fails while each of two edges and two hosts is restarted, and nothing acknowledged is lost',
  async () => {
    const { keys, shop } = await openTrialStore(cluster, PATIENCE_MS);
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
    const { keys, shop } = await openTrialStore(cluster, PATIENCE_MS);
    const [alone, other] = cluster.hosts as [Member, Member];
    const AT_ONCE = { STOA_DRAIN_SECONDS: '0' };
    await other.stop();
    await alone.stop();
    await alone.start(AT_ONCE);
    const balancer = new Balancer(cluster.edges);
    await eventually(() => expect(balancer.well).toBe(2), PATIENCE_MS);
    const visitors = Array.from(
      { length: VISITORS },
      () => new Visitor(balancer, keys, shop.variantId, { edge: cluster.edges[0]! }),
    );
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
