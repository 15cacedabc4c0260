// Recovers actors whose log and database diverge, on real servers: after a restored backup, a lost stream or an unreadable
// record. Commands acknowledged after the recovery are never lost.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Journal, natsJournal } from '#runtime/actor/journal.ts';
import { openBatch, writeActor, writeBatch, writeRecord } from '#runtime/actor/journal_record.ts';
import { type LogPosition, postgresSnapshots } from '#runtime/actor/snapshot.ts';
import { registry } from '#runtime/process/metric.ts';
import { eventually } from '#test/support/server.ts';
import { type ActorTestHost, openActorTestHost, type Stage, type StageOptions, TENANT } from './actor_test_host.ts';

/** All in one log. */
const ALONE: StageOptions = { partitions: 1 };

let testHost: ActorTestHost;
beforeEach(async () => {
  testHost = await openActorTestHost();
});
afterEach(() => testHost.close());

const position = (): Promise<LogPosition> => postgresSnapshots(testHost.postgres).position(0);
const gaps = async (): Promise<number> =>
  Number(/^stoa_actor_log_gaps_total (\d+)$/m.exec(await registry.metrics())?.[1]);

const noted = (): Promise<void> =>
  eventually(async () => expect(await postgresSnapshots(testHost.postgres).lostAt(0)).not.toBeNull());

const settled = async ({ bus }: Stage): Promise<LogPosition> => {
  const journal = natsJournal(bus, testHost.namespace, 1);
  return eventually(async () => {
    const at = await position();
    expect(at.sequence).toBe((await journal.last(0))?.sequence);
    return at;
  });
};

interface Backup {
  readonly partitions: Record<string, unknown>[];
  readonly actors: Record<string, unknown>[];
}

const backup = async (): Promise<Backup> => ({
  partitions: await testHost.postgres.sql`select * from runtime.partition`,
  actors: await testHost.postgres.sql`select * from runtime.actor`,
});
const restore = async ({ partitions, actors }: Backup): Promise<void> => {
  const { sql } = testHost.postgres;
  await sql`delete from runtime.partition`;
  await sql`delete from runtime.actor`;
  for (const row of partitions) await sql`insert into runtime.partition ${sql(row)}`;
  for (const row of actors) await sql`insert into runtime.actor ${sql(row)}`;
};

const add = (stage: Stage, ticket: string, count: number) => stage.tell(ticket, { do: 'add', count });
const free = async (stage: Stage, ticket: string): Promise<number> => {
  const answer = await stage.tell(ticket, { do: 'look' });
  return 'free' in answer ? answer.free : Number.NaN;
};

/** Stops where Postgres cannot learn of it, as a power cut would. */
const torn = async (stage: Stage, ...tell: (() => Promise<unknown>)[]): Promise<void> => {
  await testHost.postgres.transaction(async ({ sql }) => {
    await sql`select * from runtime.partition for update`;
    for (const each of tell) await each();
    await stage.kill();
  });
};

/** Stops, and its log is gone as if the broker had lost its disk. */
const wiped = async (
  { actors, bus, ...stage }: Stage,
  refill: (journal: Journal) => Promise<void> = async () => {},
): Promise<void> => {
  await actors.kill();
  bus.publish(`$JS.API.STREAM.DELETE.${testHost.stream}`, Buffer.from('{}'));
  const journal = natsJournal(bus, testHost.namespace, 1);
  await eventually(async () => expect(await journal.head()).toBe(0));
  await refill(journal);
  await stage.kill();
};

describe('a database from a backup, with the streams of today', () => {
  test('continues from the database and keeps later commands', { timeout: 120_000 }, async () => {
    let stage = await testHost.open(ALONE);
    await add(stage, 'a', 2);
    await settled(stage);
    const taken = await backup();
    await add(stage, 'a', -2);
    await stage.tell('b', { do: 'add', count: 5 });
    const { sequence } = await settled(stage);
    await natsJournal(stage.bus, testHost.namespace, 1).trim(sequence);
    await torn(
      stage,
      () => add(stage, 'a', 2),
      () => stage.tell('b', { do: 'hold', hold: 'x', count: 1, ms: 3_600_000 }),
    );
    await restore(taken);

    const before = await gaps();
    stage = await testHost.open(ALONE);
    const journal = natsJournal(stage.bus, testHost.namespace, 1);
    const end = (await journal.last(0))!;
    const { number: batch, nonce } = openBatch(end.bytes);
    expect(await position()).toEqual({ batch, sequence: end.sequence, nonce });
    expect(await free(stage, 'a')).toBe(2);
    expect(await stage.tell('b', { do: 'look' })).toEqual({ free: 0, sold: 0, held: 0 });
    expect(await gaps()).toBe(before + 1);
    expect(stage.actors.healthIssues).toEqual(['actor_log']);
    await noted();
    await torn(stage, () => add(stage, 'a', 1));

    stage = await testHost.open(ALONE);
    expect(await free(stage, 'a')).toBe(3);
    expect(await gaps()).toBe(before + 1);
    expect(stage.actors.healthIssues).toEqual(['actor_log']);
    await testHost.postgres.sql`update runtime.partition set lost_at = lost_at - interval '1 day'`;
    await stage.kill();
    stage = await testHost.open(ALONE);
    expect(await free(stage, 'a')).toBe(3);
    expect(stage.actors.healthIssues).toEqual([]);
  });
});

test('streams of another history that count as its own did count for nothing', { timeout: 120_000 }, async () => {
  let stage = await testHost.open(ALONE);
  await add(stage, 'a', 1);
  const { batch, sequence } = await settled(stage);
  await wiped(stage, async (journal) => {
    const actors = [writeActor({ kind: 'seat', ...TENANT, id: 'a' })];
    const added = { did: 'added', count: 7, by: 'c' };
    const records = [writeRecord({ actorIndex: 0, commandId: 'c', now: 0, facts: [added], answer: null })];
    for (let expected = 0; expected <= sequence; expected++) {
      const number = batch - sequence + expected + 1;
      await journal.append(0, { number, expected, bytes: writeBatch(number, 'foreign', actors, records) });
    }
  });
  const before = await gaps();
  stage = await testHost.open(ALONE);
  expect(await free(stage, 'a')).toBe(1);
  expect([await gaps(), stage.actors.healthIssues]).toEqual([before + 1, ['actor_log']]);
});

describe('streams that are younger than the database', () => {
  test('continues from the restored database', { timeout: 120_000 }, async () => {
    let stage = await testHost.open(ALONE);
    for (let turn = 0; turn < 6; turn++) await add(stage, 'a', 1);
    const old = await settled(stage);
    await wiped(stage);

    const before = await gaps();
    stage = await testHost.open(ALONE);
    expect(await position()).toMatchObject({ batch: old.batch + 1, sequence: 1 });
    expect(await gaps()).toBe(before + 1);
    // More than the lost stream held, so that a position there would name another message here.
    await torn(stage, async () => {
      for (let turn = 0; turn <= old.sequence; turn++) await add(stage, 'a', 1);
    });
    stage = await testHost.open(ALONE);
    expect(await free(stage, 'a')).toBe(6 + old.sequence + 1);
    expect(await gaps()).toBe(before + 1);
  });

  test('reports no loss after a restored backup', async () => {
    let stage = await testHost.open(ALONE);
    await add(stage, 'a', 4);
    await settled(stage);
    await wiped(stage);
    await testHost.postgres.sql`update runtime.partition set sequence = 0`;
    const before = await gaps();
    stage = await testHost.open(ALONE);
    expect(await free(stage, 'a')).toBe(4);
    expect([await gaps(), stage.actors.healthIssues]).toEqual([before, []]);
  });
});

describe('a record that cannot be read', () => {
  test('leaves its actor as Postgres has it, and stops no other', async () => {
    let stage = await testHost.open(ALONE);
    await add(stage, 'a', 2);
    await add(stage, 'b', 2);
    const { batch, sequence } = await settled(stage);
    const journal = natsJournal(stage.bus, testHost.namespace, 1);
    await torn(stage, async () => {
      const actors = ['a', 'b'].map((id) => writeActor({ kind: 'seat', ...TENANT, id }));
      const added = { did: 'added', count: 3, by: 'c' };
      const records = [
        writeRecord({ actorIndex: 0, commandId: 'c', now: 0, facts: [null, added], answer: null }).replace(
          'added',
          '\u0000',
        ),
        writeRecord({ actorIndex: 1, commandId: 'c', now: 0, facts: [added], answer: null }),
      ];
      const bytes = writeBatch(batch + 1, 'other', actors, records);
      await journal.append(0, { number: batch + 1, expected: sequence, bytes });
    });
    const before = await gaps();
    stage = await testHost.open(ALONE);
    expect(await Promise.all(['a', 'b'].map((id) => free(stage, id)))).toEqual([2, 5]);
    expect(await gaps()).toBe(before + 1);
    expect(stage.actors.healthIssues).toEqual(['actor_log']);
    await add(stage, 'a', 1);
    await settled(stage);
    await noted();
    await stage.kill();
    stage = await testHost.open(ALONE);
    expect(await Promise.all(['a', 'b'].map((id) => free(stage, id)))).toEqual([3, 5]);
    expect(stage.actors.healthIssues).toEqual(['actor_log']);
  });
});

test('measures how long a partition is behind, and reports one that does not advance', {
  timeout: 120_000,
}, async () => {
  const stage = await testHost.open(ALONE);
  const age = async (): Promise<number> =>
    Number(/^stoa_projection_age_seconds\{partition="0"\} (\S+)$/m.exec(await registry.metrics())?.[1]);
  await settled(stage);
  expect(await age()).toBeLessThan(5);
  const other = await testHost.open(ALONE);
  const { sql } = testHost.postgres;
  await sql`alter table runtime.actor add constraint full_disk check (false) not valid`;
  await add(stage.actors.serving.length > 0 ? stage : other, 'a', 1);
  await eventually(async () => expect(await age()).toBeGreaterThan(10), 30_000);
  // The other host hears of it, too.
  for (const each of [stage, other])
    await eventually(() => expect(each.actors.healthIssues).toEqual(['projection']), 30_000);
  await sql`alter table runtime.actor drop constraint full_disk`;
  await eventually(async () => {
    expect(await age()).toBe(0);
    for (const each of [stage, other]) expect(each.actors.healthIssues).toEqual([]);
  }, 30_000);
});
