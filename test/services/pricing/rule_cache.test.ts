// Tests the cache of pricing rules with a real Postgres that goes down.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { RuleCache } from '#services/pricing/rule_cache.ts';
import { raiseRevision } from '#services/pricing/table/promotion.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase, testLog } from '#test/support/server.ts';

let database: TestDatabase;
let near: Postgres;
let proxy: TestProxy;
let behind: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  near = openPostgres(database.url);
  proxy = await startProxy(database.url);
  behind = openPostgres(proxy.url, { statementTimeoutMs: 300 });
});
afterAll(async () => {
  await behind.close();
  await proxy.close();
  await near.close();
  await database.drop();
});

test('loads a change noticed while the database was down as soon as it is back', async () => {
  const tenant: Tenant = { store: randomUUID(), environment: 'production' };
  const memory = new RuleCache({ postgres: behind, clock: manualClock(0), log: testLog() });
  const revision = async (): Promise<number> => (await memory.open(tenant)).revision;
  expect(await revision()).toBe(0);
  proxy.freeze();
  await raiseRevision(near.sql, tenant);
  await expect(memory.follow(tenant)).rejects.toThrow();
  await eventually(() => expect(behind.available).toBe(false));
  expect(await revision()).toBe(0);
  proxy.thaw();
  await eventually(() => expect(behind.available).toBe(true));
  expect(await revision()).toBe(1);
});
