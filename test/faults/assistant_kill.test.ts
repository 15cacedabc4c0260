// Kills processes while many assistants complete their checkouts: acknowledged ones persist, and others are repeated under
// their key with one effect.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { areOrders, beginCheckout, complete, openSeller, PROTOCOLS } from './assistant_checkout.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';

const CHECKOUTS = 18;
/** These are completed after the kill alone: however quick the others are, some find no answer. */
const LATE = 3;
const STOCK = 50;

/** Hosts read the profile of a UCP platform that runs in this process. */
allowLocalVerifier();
let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-assistant-kill-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
});
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const VICTIMS: readonly (readonly [string, () => readonly Member[]])[] = [
  ['the host', () => cluster.hosts],
  ['the edge', () => cluster.edges],
  ['both', () => [...cluster.hosts, ...cluster.edges]],
];
const cases = VICTIMS.flatMap(([name, victims]) => [0, 2, 7].map((answers) => [name, answers, victims] as const));

test.each(cases)(
  '%s, killed once %d of many completions were acknowledged',
  { timeout: 240_000 },
  async (_, answers, victims) => {
    const seller = await openSeller(cluster, STOCK);
    const checkouts = await Promise.all(Array.from({ length: CHECKOUTS }, () => beginCheckout(cluster, seller)));
    const acknowledged = new Map<string, string>();
    const death = Promise.withResolvers<void>();
    const dieAt = (count: number): void => {
      if (count === answers) void Promise.all(victims().map((victim) => victim.kill())).then(() => death.resolve());
    };
    const completing = checkouts.map(async (checkout, at) => {
      if (at >= CHECKOUTS - LATE) await death.promise;
      const reply = await complete(seller, PROTOCOLS[at % PROTOCOLS.length]!, checkout).catch(() => null);
      if (reply?.status !== 200) return;
      acknowledged.set(checkout.id, reply.body.order.id);
      dieAt(acknowledged.size);
    });
    await Bun.sleep(20);
    dieAt(0);
    await Promise.all(completing);
    expect(acknowledged.size, 'no completion was cut off').toBeLessThan(CHECKOUTS);
    for (const victim of victims()) await victim.start();
    const orders = await Promise.all(
      checkouts.map(async (checkout, at) => {
        const order: string = await eventually(async () => {
          const reply = await complete(seller, PROTOCOLS[at % PROTOCOLS.length]!, checkout);
          expect(reply.status, reply.text).toBe(200);
          return reply.body.order.id;
        }, 60_000);
        expect(acknowledged.get(checkout.id) ?? order).toBe(order);
        return { checkout: checkout.id, order };
      }),
    );
    await areOrders(postgres, seller, { orders, stock: STOCK });
  },
);
