// A sandbox whose host died while it was reset opens when the lease ends, and another call takes it from then on.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { beginGeneration, claim, renew, shut } from '#services/sandbox/table/sandbox.ts';
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

const isShut = (tenant: Tenant): Promise<boolean> =>
  postgres.transaction(async ({ sql }) => (await enterSandboxes(sql, [tenant]))(tenant).shut);
/** Shut by a call that has it. */
const shutByOne = async (): Promise<{ tenant: Tenant; token: string }> => {
  const [tenant, token]: [Tenant, string] = [{ store: randomUUID(), environment: 'sandbox' }, randomUUID()];
  expect(await claim(postgres.sql, tenant, token, LEASE_MS)).toBe(0);
  expect(await shut(postgres.sql, tenant, token, LEASE_MS)).toBe(true);
  return { tenant, token };
};
const endLease = ({ store }: Tenant) =>
  postgres.sql`update runtime.sandbox set leased_until = now() where store = ${store}`;

describe('a sandbox that is shut', () => {
  test('refuses other calls and opens when its lease ends', async () => {
    const { tenant } = await shutByOne();
    expect(await claim(postgres.sql, tenant, randomUUID(), LEASE_MS)).toBeNull();
    expect(await isShut(tenant)).toBe(true);
    await endLease(tenant);
    expect(await isShut(tenant)).toBe(false);
    expect(await claim(postgres.sql, tenant, randomUUID(), LEASE_MS)).toBe(0);
    expect(await isShut(tenant)).toBe(false);
  });

  test('refuses clearing by a call with an expired lease, unless that call shuts it again', async () => {
    const { tenant, token } = await shutByOne();
    await endLease(tenant);
    await renew(postgres.sql, tenant, token, LEASE_MS);
    expect(await isShut(tenant)).toBe(false);
    expect(await beginGeneration(postgres.sql, tenant, token, randomUUID())).toBe(false);
    expect(await shut(postgres.sql, tenant, token, LEASE_MS)).toBe(true);
    expect(await beginGeneration(postgres.sql, tenant, token, randomUUID())).toBe(true);
    expect(await shut(postgres.sql, tenant, randomUUID(), LEASE_MS)).toBe(false);
  });

  test('refuses other calls while its holder clears it, even after the lease has expired', async () => {
    const { tenant, token } = await shutByOne();
    const other = () => claim(postgres.sql, tenant, randomUUID(), LEASE_MS);
    await postgres.transaction(async ({ sql }) => {
      expect(await beginGeneration(sql, tenant, token, randomUUID())).toBe(true);
      await sql`update runtime.sandbox set leased_until = now() where store = ${tenant.store}`;
      expect(await other()).toBeNull();
      expect(await isShut(tenant)).toBe(true);
    });
    expect(await other()).toBe(0);
  });
});
