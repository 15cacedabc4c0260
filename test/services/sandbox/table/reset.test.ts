// A sandbox whose host died while it was reset is opened, and one that was claimed again is left alone.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { enterSandboxes, shutSandbox } from '#runtime/postgres/renewal.ts';
import { claim } from '#services/sandbox/table/clock.ts';
import { openAbandoned } from '#services/sandbox/table/reset.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

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

const LEASE_MS = 60_000;
const PATIENCE_MS = 5_000;

const take = async (tenant: Tenant, leaseMs = LEASE_MS): Promise<number | null> =>
  claim(postgres.sql, tenant, randomUUID(), leaseMs);
const isShut = (tenant: Tenant): Promise<boolean> =>
  postgres.transaction(async ({ sql }) => (await enterSandboxes(sql, [tenant]))(tenant).shut);
/** Shut by a host that is gone: its lease is over. */
const abandoned = async (): Promise<Tenant> => {
  const tenant: Tenant = { store: randomUUID(), environment: 'sandbox' };
  expect(await take(tenant, 0)).toBe(0);
  await shutSandbox(postgres, tenant, PATIENCE_MS);
  return tenant;
};
/** A transaction that does this, and is over once told so. */
const during = async (work: (sql: Postgres['sql']) => Promise<unknown>, run: () => Promise<void>): Promise<void> => {
  let end = (): void => {};
  const ended = new Promise<void>((done) => (end = done));
  let whole: Promise<void> = Promise.resolve();
  await new Promise<void>((begun) => {
    whole = postgres.transaction(async ({ sql }) => {
      await work(sql);
      begun();
      await ended;
    });
  });
  try {
    await run();
  } finally {
    end();
    await whole;
  }
};

describe('a sandbox that is shut', () => {
  test('is opened once none holds it', async () => {
    const tenant = await abandoned();
    expect(await openAbandoned(postgres.sql)).toEqual([tenant.store]);
    expect(await isShut(tenant)).toBe(false);
    expect(await openAbandoned(postgres.sql)).toEqual([]);
  });

  test('is not while one holds it', async () => {
    const tenant = await abandoned();
    expect(await take(tenant)).toBe(0);
    expect(await openAbandoned(postgres.sql)).toEqual([]);
    expect(await isShut(tenant)).toBe(true);
  });

  test('is not where another takes it and shuts it anew while that is looked at', async () => {
    const tenant = await abandoned();
    let opening: Promise<string[]> = Promise.resolve([]);
    const shutAnew = (sql: Postgres['sql']) =>
      sql`update runtime.renewal set shut_until = now() + interval '90 s' where store = ${tenant.store}`;
    await during(shutAnew, async () => {
      opening = openAbandoned(postgres.sql);
      await Bun.sleep(200);
      expect(await take(tenant)).toBe(0);
    });
    expect(await opening).toEqual([]);
    expect(await isShut(tenant)).toBe(true);
  });

  test('is not while its holder clears it, though its lease is over', async () => {
    const tenant = await abandoned();
    const clearing = (sql: Postgres['sql']) => sql`select from sandbox.clock where store = ${tenant.store} for update`;
    await during(clearing, async () => {
      expect(await openAbandoned(postgres.sql)).toEqual([]);
      expect(await take(tenant)).toBeNull();
    });
    expect(await isShut(tenant)).toBe(true);
    expect(await take(tenant)).toBe(0);
  });
});
