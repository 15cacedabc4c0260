// A process that dies while an assistant completes a checkout with a payment token: it is started again, the assistant repeats
// the call under its key, and there is one order, paid once, its stock taken once, and the token is used up.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { areOrders, beginCheckout, complete, isQuiet, openStall, type Protocol } from './assistant_checkout.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { dieAndRetry } from './death.ts';

const STOCK = 5;
const LONG = { timeout: 240_000 };

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-assistant-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  host = cluster.hosts[0]!;
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

describe('a completion whose process dies', () => {
  test.each<[where: string, place: Failpoint, protocol: Protocol]>([
    ['after its key was looked up', 'claim', 'mcp'],
    ['after its token was set aside', 'reply', 'ucp'],
    ['inside the transaction that places and pays the order', 'transaction', 'acp'],
    ['after the commit, its payment not settled yet', 'commit', 'mcp'],
    ['after the commit, its payment not settled yet', 'commit', 'ucp'],
    ['after the commit, its payment not settled yet', 'commit', 'acp'],
    ['before its events are published', 'publish', 'ucp'],
  ])('%s (%s, over %s) is one paid order once it is asked for again', LONG, async (_where, place, protocol) => {
    const stall = await openStall(cluster, STOCK);
    const checkout = await beginCheckout(cluster, stall);
    await isQuiet(postgres, stall);
    const death = { member: host, place, shop: stall.keys };
    const { body: told } = await dieAndRetry(death, () => complete(stall, protocol, checkout));
    await areOrders(postgres, stall, { orders: [{ checkout: checkout.id, order: told.order.id }], stock: STOCK });
  });
});
