// Projects actors to a real database, where the second of two writers writes nothing.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Kinds } from '#runtime/actor/address.ts';
import type { ActorKind } from '#runtime/actor/kind.ts';
import { type LogPosition, postgresSnapshots, type Snapshots, sweepExpired } from '#runtime/actor/snapshot.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { anyEvent } from '#test/support/event.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type ActorTestHost, openActorTestHost, TENANT } from './actor_test_host.ts';
import { ticket } from './ticket.ts';

const PARTITION = 3;
const START: LogPosition = { batch: 0, sequence: 0 };

let database: TestDatabase;
let postgres: Postgres;
let snapshots: Snapshots;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url, { clock: manualClock(Date.parse('2026-01-01T12:00:00.000Z')) });
  snapshots = postgresSnapshots(postgres);
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

const kinds = new Kinds();
kinds.register(ticket);
const address = kinds.address(ticket, TENANT, 'a');

const project = (from: LogPosition, to: LogPosition, name: string): Promise<boolean> =>
  snapshots.project(PARTITION, {
    from,
    to,
    actors: [{ address, durable: name, state: JSON.stringify(name), dueAt: null, expiresAt: null }],
    events: [{ tenant: TENANT, event: anyEvent('cart.updated', { id: name }), createdAt: new Date() }],
    audits: [],
    answers: [],
  });

test('an owner that comes second writes no state, no event and no position', async () => {
  const [first, second] = [
    { batch: 5, sequence: 50, nonce: 'first' },
    { batch: 9, sequence: 90, nonce: 'a second' },
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
  const events = await postgres.sql<{ payload: string }[]>`select payload from runtime.event order by sequence`;
  expect(events.map(({ payload }) => JSON.parse(payload).data.object.id)).toEqual(['owner of 5', 'owner of 9']);
});

test('stores a loss with its partition, readable by every host', async () => {
  await snapshots.project(1, {
    from: START,
    to: { batch: 1, sequence: 1 },
    actors: [],
    events: [],
    audits: [],
    answers: [],
  });
  expect(await snapshots.lostAt(1)).toBeNull();
  await snapshots.noteLoss(1, 1_700_000_000_000);
  expect([await snapshots.lostAt(1), await snapshots.lostAt(2)]).toEqual([1_700_000_000_000, null]);
});

test('never overwrites a snapshot of an unknown format', async () => {
  const later = new Kinds();
  later.register({ ...ticket, format: 2 });
  const laterAddress = later.address({ ...ticket, format: 2 }, TENANT, 'later');
  const [position] = (await snapshots.positions()).values();
  await snapshots.project(PARTITION, {
    from: position!,
    to: { batch: position!.batch + 1, sequence: position!.sequence + 1 },
    actors: [{ address: laterAddress, durable: 'new', state: '"new"', dueAt: null, expiresAt: null }],
    events: [],
    audits: [],
    answers: [],
  });
  expect(await snapshots.load([laterAddress])).toEqual(['"new"']);
  await expect(snapshots.load([kinds.address(ticket, TENANT, 'later')])).rejects.toThrow(
    'A snapshot of the kind seat is of format 2, which a later release wrote.',
  );
});

interface Stay {
  readonly until: number;
}
const stay: ActorKind<Stay, Stay | null, Stay, Stay> = {
  name: 'stay',
  initial: { until: 0 },
  decide: (state, command) => ({ facts: command ? [command] : [], answer: command ?? state }),
  evolve: (_, fact) => fact,
  dueAt: () => null,
  due: null,
  isDisposable: () => false,
  expiresAt: ({ until }) => until,
  announce: () => [],
};

describe('expired snapshots', () => {
  let testHost: ActorTestHost;
  beforeEach(async () => {
    testHost = await openActorTestHost();
  });
  afterEach(() => testHost.close());

  test('deletes expired snapshots only, and an expired actor starts from its initial state', async () => {
    const now = testHost.clock.real();
    const hour = 3_600_000;
    const rows = async () => {
      const found = await testHost.postgres.sql<{ id: string }[]>`select id from runtime.actor order by id`;
      return found.map(({ id }) => id);
    };
    let stage = await testHost.open({ kinds: [stay] });
    const call = () => ({ commandId: crypto.randomUUID(), deadline: testHost.clock.real() + 30_000 });
    const tell = (id: string, command: Stay | null) => stage.actors.tell(stay, TENANT, id, command, call());
    await tell('gone', { until: now - hour });
    await tell('stays', { until: now + hour });
    await tell('young', { until: now });
    await eventually(async () => expect(await rows()).toEqual(['gone', 'stays', 'young']));

    expect(await sweepExpired(testHost.postgres, now)).toBe(1);
    expect(await rows()).toEqual(['stays', 'young']);
    expect(await sweepExpired(testHost.postgres, now)).toBe(0);
    await stage.stop();
    stage = await testHost.open({ kinds: [stay] });
    expect([await tell('gone', null), await tell('stays', null)]).toEqual([{ until: 0 }, { until: now + hour }]);
  });
});
