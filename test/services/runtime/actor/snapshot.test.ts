// What is kept of actors, on a real database: of two who project one stretch of a log only the first writes anything.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Kinds } from '#runtime/actor/address.ts';
import { type Position, postgresSnapshots, type Snapshots } from '#runtime/actor/snapshot.ts';
import { stillClock } from '#runtime/clock.ts';
import type { Postgres } from '#runtime/postgres.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { seat } from './seat.ts';
import { TENANT } from './theatre.ts';

const PARTITION = 3;
const START: Position = { batch: 0, sequence: 0 };

let database: TestDatabase;
let postgres: Postgres;
let snapshots: Snapshots;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url, { clock: stillClock(Date.parse('2026-01-01T12:00:00.000Z')) });
  snapshots = postgresSnapshots(postgres, 4);
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

const kinds = new Kinds();
kinds.register(seat);
const address = kinds.address(seat, TENANT, 'a');

const project = (from: Position, to: Position, name: string): Promise<boolean> =>
  snapshots.project(PARTITION, {
    from,
    to,
    actors: [{ address, durable: name, state: JSON.stringify(name), dueAt: null, lapsesAt: null }],
    events: [{ tenant: TENANT, event: { type: 'cart.updated', object: { id: name } }, createdAt: new Date() }],
    answers: [],
  });

test('whoever is second writes no state, no event and no position', async () => {
  const [first, second] = [
    { batch: 5, sequence: 50 },
    { batch: 9, sequence: 90 },
  ];
  for (const [from, to] of [
    [START, first],
    [first, second],
  ] as const) {
    expect(await project(from, to, `owner of ${to.batch}`)).toBe(true);
    expect(await project(from, { batch: to.batch + 1, sequence: to.sequence + 1 }, 'zombie')).toBe(false);
    expect(await snapshots.position(PARTITION)).toEqual(to);
    expect(await snapshots.load([address])).toEqual([JSON.stringify(`owner of ${to.batch}`)]);
  }
  const told = await postgres.sql<{ payload: string }[]>`select payload from runtime.event order by sequence`;
  expect(told.map(({ payload }) => JSON.parse(payload).data.object.id)).toEqual(['owner of 5', 'owner of 9']);
});
