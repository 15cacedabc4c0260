// Replicas of revisions in a real Postgres load, follow, and unload.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { TenantReplica, type TenantReplicaOptions } from '#runtime/flow/tenant_replica.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { currentRevision, currentRevisions, raiseRevision } from '#services/pricing/table/promotion.ts';
import { freshDatabase, openPostgres, type TestDatabase, testLog } from '#test/support/server.ts';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

interface Copy {
  readonly id: number;
  readonly part: string | undefined;
  readonly revision: number;
}

const newTenant = (): Tenant => ({ store: randomUUID(), environment: 'production' });

/** A replica whose loads read first and then wait for `state.gate`; `bytes` is what each value weighs. */
const openReplica = (options: Partial<TenantReplicaOptions<Copy>> = {}) => {
  const state = { loads: 0, updates: 0, closed: [] as number[], fails: false, gate: Promise.resolve() };
  const replica = new TenantReplica<Copy>(
    { postgres, clock: manualClock(0), log: testLog() },
    {
      name: 'copies',
      load: async (tenant, part) => {
        const id = ++state.loads;
        const revision = await currentRevision(postgres.sql, tenant);
        await state.gate;
        return { id, part, revision };
      },
      update: async (copy, _, tenant) => {
        state.updates++;
        if (state.fails) throw new Error('failed to read');
        return { ...copy, revision: await currentRevision(postgres.sql, tenant) };
      },
      revisions: currentRevisions,
      weigh: () => 10,
      close: ({ id }) => state.closed.push(id),
      servesStale: true,
      valuesMax: 10,
      pollMs: 60_000,
      ...options,
    },
  );
  return { replica, state };
};

const raise = (tenant: Tenant): Promise<unknown> => raiseRevision(postgres.sql, tenant);

test('shares one load between callers that miss together, and then answers synchronously', async () => {
  const { replica, state } = openReplica();
  const tenant = newTenant();
  const found = await Promise.all(Array.from({ length: 20 }, () => replica.open(tenant)));
  expect(new Set(found).size).toBe(1);
  expect(replica.open(tenant)).toBe(found[0]);
  expect([state.loads, replica.size, replica.bytes]).toEqual([1, 1, 10]);
});

test('shares updates between callers that need a newer revision', async () => {
  const { replica, state } = openReplica();
  const tenant = newTenant();
  await replica.open(tenant);
  await raise(tenant);
  const found = await Promise.all(Array.from({ length: 20 }, async () => replica.open(tenant, 1)));
  expect(found.map(({ revision }) => revision)).toEqual(Array(20).fill(1));
  expect(state.updates).toBe(1);
});

test('reads what was committed before each of many followers asked', async () => {
  const { replica, state } = openReplica();
  const tenant = newTenant();
  await replica.open(tenant);
  const seen = await Promise.all(
    Array.from({ length: 20 }, async () => {
      await raise(tenant);
      const own = await currentRevision(postgres.sql, tenant);
      await replica.follow(tenant);
      return (await replica.open(tenant)).revision >= own;
    }),
  );
  expect(seen).toEqual(Array(20).fill(true));
  expect(state.updates).toBeLessThanOrEqual(20);
});

test('updates a value whose load began before the change', async () => {
  const { replica, state } = openReplica();
  const tenant = newTenant();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  const loading = replica.open(tenant);
  await expect.poll(() => state.loads).toBe(1);
  await currentRevision(postgres.sql, tenant);
  await raise(tenant);
  const following = replica.follow(tenant);
  gate.resolve();
  await Promise.all([loading, following]);
  expect((await replica.open(tenant)).revision).toBe(1);
});

test('loads again what was unloaded while it was loading', async () => {
  const { replica, state } = openReplica();
  const tenant = newTenant();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  const first = replica.open(tenant);
  replica.unload(tenant);
  const second = replica.open(tenant);
  gate.resolve();
  expect([(await first).id, (await second).id, (await replica.open(tenant)).id]).toEqual([1, 2, 2]);
  expect([state.closed, replica.size]).toEqual([[1], 1]);
});

test('updates and unloads all parts of a tenant', async () => {
  const { replica, state } = openReplica();
  const [tenant, other] = [newTenant(), newTenant()];
  await Promise.all([replica.open(tenant), replica.open(tenant, 0, 'fr'), replica.open(other)]);
  await raise(tenant);
  await replica.follow(tenant, 1);
  const parts = [await replica.open(tenant), await replica.open(tenant, 0, 'fr')];
  expect(parts).toMatchObject([{ revision: 1 }, { part: 'fr', revision: 1 }]);
  replica.unload(tenant);
  expect([replica.size, replica.bytes, state.closed.length]).toEqual([1, 10, 2]);
});

test('applies a change to the preceding revision only, and reads the others', async () => {
  const { replica, state } = openReplica();
  const tenant = newTenant();
  await replica.open(tenant);
  await raise(tenant);
  await raise(tenant);
  const changed: number[] = [];
  const change = async ({ revision }: Copy): Promise<void> => void changed.push(revision);
  await replica.apply(tenant, 1, change);
  expect([changed, state.updates]).toEqual([[0], 0]);
  await replica.apply(tenant, 2, change);
  expect([changed, state.updates, (await replica.open(tenant)).revision]).toEqual([[0], 1, 2]);
  await replica.apply(tenant, 2, change);
  expect([changed, state.updates]).toEqual([[0], 1]);
});

test('unloads the least recently used beyond a number or weight', async () => {
  const { replica, state } = openReplica({ valuesMax: 3, bytesMax: 20 });
  const [a, b, c] = [newTenant(), newTenant(), newTenant()];
  await replica.open(a);
  await replica.open(b);
  await replica.open(a);
  await replica.open(c);
  expect([a, b, c].map((tenant) => replica.isLoaded(tenant))).toEqual([true, false, true]);
  expect([state.closed, replica.bytes]).toEqual([[2], 20]);
});

test('finds by polling what no notice named', async () => {
  const { replica, state } = openReplica();
  const [changed, same] = [newTenant(), newTenant()];
  await Promise.all([replica.open(changed), replica.open(same)]);
  await raise(changed);
  await replica.poll();
  expect([(await replica.open(changed)).revision, state.updates]).toEqual([1, 1]);
});

test('serves an old value after a failed update only where it may', async () => {
  for (const servesStale of [true, false]) {
    const { replica, state } = openReplica({ servesStale });
    const tenant = newTenant();
    await replica.open(tenant);
    await raise(tenant);
    state.fails = true;
    await expect(replica.follow(tenant)).rejects.toThrow('failed to read');
    if (servesStale) expect(replica.open(tenant)).toMatchObject({ revision: 0 });
    else await expect(replica.open(tenant)).rejects.toThrow();
    state.fails = false;
    expect((await replica.open(tenant, 1)).revision).toBe(1);
    expect(replica.open(tenant)).toMatchObject({ revision: 1 });
  }
});

test('lets a caller wait until its deadline while the load goes on', async () => {
  const { replica, state } = openReplica();
  const tenant = newTenant();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  await expect(replica.get({ tenant, deadline: 0 })).rejects.toThrow(Unavailable);
  gate.resolve();
  expect((await replica.get({ tenant, deadline: 60_000 })).id).toBe(1);
});
