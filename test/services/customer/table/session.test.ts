// Deletion of expired sessions keeps those that a shopper may still use.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { CustomerRecord } from '#services/customer/customer.ts';
import { newTokens } from '#services/customer/session.ts';
import { insertCustomer } from '#services/customer/table/customer.ts';
import { deleteExpiredSessions, findAccess, insertSession, useRefresh } from '#services/customer/table/session.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

const NOON = new Date('2026-11-21T12:00:00Z');
const tenant: Tenant = { store: randomUUID(), environment: 'production' };
const later = (ms: number): Date => new Date(NOON.getTime() + ms);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
let postgres: Postgres;
const customer: CustomerRecord = {
  id: randomUUID(),
  external_id: null,
  email: 'ada@example.com',
  first_name: null,
  last_name: null,
  phone: null,
  customer_group: null,
  addresses: [],
  metadata: {},
  language: null,
  created_at: NOON,
  updated_at: NOON,
};

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  await insertCustomer(postgres.sql, tenant, customer);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const count = async (): Promise<number[]> => {
  const [row] = await postgres.sql<{ sessions: number; tokens: number }[]>`
    select (select count(*) from customer.session) as sessions, (select count(*) from customer.session_token) as tokens`;
  return [row!.sessions, row!.tokens];
};

test('recognises a used refresh token until its expiry, and its family as long as any token lives', async () => {
  const { sql } = postgres;
  const [first, second] = [newTokens(NOON), newTokens(later(DAY_MS))];
  const id = randomUUID();
  await insertSession(sql, tenant, { id, customer: customer.id, device: null }, first, NOON);
  expect(await useRefresh(sql, tenant, first.refresh.hash, { next: second, device: null }, later(DAY_MS))).toEqual({
    outcome: 'prolonged',
    customer,
  });
  expect(await count()).toEqual([1, 4]);

  await deleteExpiredSessions(sql, later(2 * HOUR_MS));
  expect(await count()).toEqual([1, 3]);
  await deleteExpiredSessions(sql, later(30 * DAY_MS));
  expect(await count()).toEqual([1, 2]);
  const third = newTokens(later(30 * DAY_MS));
  expect(await useRefresh(sql, tenant, first.refresh.hash, { next: third, device: null }, later(30 * DAY_MS))).toEqual({
    outcome: 'reused',
    session: id,
  });
  await deleteExpiredSessions(sql, later(30 * DAY_MS + 1));
  expect(await count()).toEqual([1, 1]);
  expect(
    await useRefresh(sql, tenant, first.refresh.hash, { next: third, device: null }, later(30 * DAY_MS)),
  ).toBeNull();
  await deleteExpiredSessions(sql, later(31 * DAY_MS + 1));
  expect(await count()).toEqual([0, 0]);
});

test('finds a token by tenant and kind until it expires', async () => {
  const { sql } = postgres;
  const tokens = newTokens(NOON);
  const id = randomUUID();
  await insertSession(sql, tenant, { id, customer: customer.id, device: null }, tokens, NOON);
  const find = (of: Tenant, hash: Uint8Array, at: Date) => findAccess(sql, of, hash, at);
  expect(await find(tenant, tokens.access.hash, NOON)).toMatchObject({ session: id, customer: customer.id });
  expect(await find(tenant, tokens.access.hash, later(HOUR_MS))).toBeNull();
  expect(await find(tenant, tokens.refresh.hash, NOON)).toBeNull();
  expect(await find({ ...tenant, environment: 'sandbox' }, tokens.access.hash, NOON)).toBeNull();
  expect(await find({ ...tenant, store: randomUUID() }, tokens.access.hash, NOON)).toBeNull();
  const next = newTokens(NOON);
  expect(await useRefresh(sql, tenant, tokens.access.hash, { next: next, device: null }, NOON)).toBeNull();
  expect(
    await useRefresh(sql, tenant, tokens.refresh.hash, { next: next, device: null }, later(30 * DAY_MS)),
  ).toBeNull();
  expect(
    await useRefresh(
      sql,
      { ...tenant, environment: 'sandbox' },
      tokens.refresh.hash,
      { next: next, device: null },
      NOON,
    ),
  ).toBeNull();
});
