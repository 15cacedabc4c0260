// Listed due work in real time: which tenants' items are performed, by which clock, and what a failure leaves undone.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { type DueRow, dueItemOf, type ListedDue } from '#runtime/domain/due.ts';
import { performDue, startDueClock } from '#runtime/domain/due_clock.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase, testLog } from '#test/support/server.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const log = testLog();

let database: TestDatabase;
let postgres: Postgres;
let clock: ManualClock;
let live: Tenant;
let sandbox: Tenant;
let fired: string[];
let announced: Tenant[];

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  await postgres.sql`create table letter (store uuid, environment text, id text, due_at timestamptz)`;
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
beforeEach(async () => {
  await postgres.sql`truncate letter`;
  clock = manualClock(NOW);
  live = { store: randomUUID(), environment: 'production' };
  sandbox = { store: randomUUID(), environment: 'sandbox' };
  fired = [];
  announced = [];
});

const put = ({ store, environment }: Tenant, id: string, at: number) =>
  postgres.sql`insert into letter values (${store}, ${environment}, ${id}, ${new Date(at)})`;

/** Sends each letter once; those named "torn" cannot be sent. */
const letters: ListedDue = {
  name: 'letters',
  list: async (sql, { tenant, until, max }) => {
    const rows = await sql<DueRow[]>`
      select * from letter where due_at <= ${until}
        and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
      order by due_at, id limit ${max}`;
    return rows.map(dueItemOf);
  },
  fire: async (tx, { tenant: { store, environment }, id }) => {
    const { count } = await tx.sql`
      delete from letter where store = ${store} and environment = ${environment} and id = ${id}`;
    if (id === 'torn') throw new Error('The letter is torn.');
    if (count === 0) return { types: [] };
    tx.afterCommit(() => void fired.push(id));
    return { types: ['letter.sent'] };
  },
  announce: (_tx, tenant) => void announced.push(tenant),
};

const perform = (): Promise<number> => performDue({ clock, log, postgres }, letters);

describe('performDue', () => {
  test('performs what is due by the real clock, in order of time, and nothing later', async () => {
    await put(live, 'second', NOW);
    await put(live, 'first', NOW - 1);
    await put(live, 'later', NOW + 1);
    expect(await perform()).toBe(2);
    expect(fired).toEqual(['first', 'second']);
    expect(announced).toEqual([live, live]);
    clock.advance(1);
    expect(await perform()).toBe(1);
  });

  test('performs a sandbox’s items by its own clock, once', async () => {
    await put(sandbox, 'ahead', NOW + HOUR_MS);
    await put(sandbox, 'both', NOW);
    await put(live, 'later', NOW + HOUR_MS);
    clock.setOffset(sandbox, HOUR_MS);
    expect(await perform()).toBe(2);
    expect(fired.toSorted()).toEqual(['ahead', 'both']);
  });

  test('leaves the items of a sandbox whose clock is being advanced', async () => {
    await put(sandbox, 'frozen', NOW);
    clock.freeze(sandbox, NOW);
    expect(await perform()).toBe(0);
    clock.setOffset(sandbox, 0);
    expect(await perform()).toBe(1);
  });

  test('leaves an item that fails, and performs the others', async () => {
    await put(live, 'torn', NOW - 1);
    await put(live, 'whole', NOW);
    expect(await perform()).toBe(1);
    expect(fired).toEqual(['whole']);
    expect(await postgres.sql`select id from letter`).toEqual([{ id: 'torn' }]);
  });
});

test('hosts that perform the same items at once fire each of them once', async () => {
  for (let n = 0; n < 20; n++) await put(live, `letter ${n}`, NOW);
  const counts = await Promise.all(Array.from({ length: 5 }, perform));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20);
  expect(new Set(fired).size).toBe(20);
  expect(fired).toHaveLength(20);
});

test('a started clock performs items without a call, until it is stopped', async () => {
  await put(live, 'letter', NOW);
  const stop = startDueClock({ clock, log, postgres }, [letters]);
  await eventually(() => expect(fired).toEqual(['letter']));
  stop();
});
