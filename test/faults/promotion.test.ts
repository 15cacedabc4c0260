// A standby of Postgres that is promoted under load, after its primary has died. DATABASE_URL names both, the standby first.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { Buyer, ordersSettled } from './buyer.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from './replicated_postgres.ts';
import { openTrialStore } from './trial.ts';

const LIMIT_MS = 600_000;
const PATIENCE_MS = 120_000;
const BUYERS = 4;

let home: string;
let postgres: ReplicatedPostgres;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-promotion-'));
  postgres = await startReplicatedPostgres();
  cluster = await startCluster({ home, databaseUrl: postgres.url, hosts: 2, edges: 1, nats: 1 });
}, LIMIT_MS);
afterAll(async () => {
  await cluster?.stop();
  await postgres?.stop();
  await rm(home, { recursive: true, force: true });
}, LIMIT_MS);

test(
  'takes orders again once the standby is promoted, and has every order that was acknowledged, once',
  async () => {
    const { buyerTarget } = await openTrialStore(cluster, PATIENCE_MS);
    const buyers = Array.from({ length: BUYERS }, () => new Buyer(buyerTarget, 0));
    const done = (): number => buyers.reduce((sum, buyer) => sum + buyer.done, 0);
    for (const buyer of buyers) buyer.start();
    await eventually(() => expect(done()).toBeGreaterThan(20), PATIENCE_MS);

    await postgres.killPrimary();
    const promoting = performance.now();
    postgres.promote();
    const promoted = performance.now();
    const before = done();
    await eventually(() => expect(done()).toBeGreaterThan(before), PATIENCE_MS);
    const served = performance.now();
    console.info(
      `Promoted in ${Math.round(promoted - promoting)} ms, next order ${Math.round(served - promoted)} ms later.`,
    );
    await eventually(() => expect(done()).toBeGreaterThan(before + 20), PATIENCE_MS);

    await Promise.all(buyers.map((buyer) => buyer.stop()));
    for (const { problem } of buyers) if (problem) throw problem;
    await ordersSettled(buyerTarget, buyers);
  },
  LIMIT_MS,
);
