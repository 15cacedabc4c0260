// Runs actors on real servers: acknowledged commands survive stops and kills.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Kinds, partitionOf } from '#runtime/actor/address.ts';
import { registry } from '#runtime/process/metric.ts';
import { eventually } from '#test/support/server.ts';
import { type ActorTestHost, openActorTestHost, type Stage, TENANT } from './actor_test_host.ts';
import { ticket as kind } from './ticket.ts';

const MOVED_MS_MAX = 30_000;
/** Each goes to whom its hash says: so many that neither of two hosts is left without one. */
const PARTITIONS = 16;
const kinds = new Kinds();
kinds.register(kind);

let testHost: ActorTestHost;
beforeEach(async () => {
  testHost = await openActorTestHost();
});
afterEach(() => testHost.close());

describe('an actor', () => {
  test('answers with the result of the command', async () => {
    const stage = await testHost.open();
    expect(await stage.tell('a', { do: 'add', count: 5 })).toEqual({ free: 5, sold: 0, held: 0 });
    expect(await stage.tell('a', { do: 'hold', hold: 'x', count: 2, ms: 60_000 })).toEqual({
      free: 3,
      sold: 0,
      held: 2,
    });
    expect(await stage.tell('b', { do: 'look' })).toEqual({ free: 0, sold: 0, held: 0 });
    expect(await stage.tell('a', { do: 'hold', hold: 'y', count: 4, ms: 60_000 })).toMatchObject({
      code: 'insufficient_stock',
    });
  });

  test('keeps actors across a stop and a kill', async () => {
    let stage = await testHost.open();
    await stage.tell('a', { do: 'add', count: 5 });
    await stage.stop();
    stage = await testHost.open();
    expect(await stage.tell('a', { do: 'look' })).toMatchObject({ free: 5 });
    await stage.tell('a', { do: 'add', count: 2 });
    await stage.kill();
    stage = await testHost.open();
    expect(await stage.tell('a', { do: 'look' })).toMatchObject({ free: 7 });
  });
});

test('exports the partitions that a host owns and their records not yet in Postgres', async () => {
  const partitionMetrics = async () => {
    const metrics = await registry.metrics();
    const of = (name: string) => Number(new RegExp(`^stoa_actor_${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
    return {
      serving: of('partitions{state="serving"}'),
      recovering: of('partitions{state="recovering"}'),
      unwritten: of('unwritten'),
    };
  };
  // The numbers are of the whole process: the records of earlier tests are written first.
  const before = await eventually(async () => {
    const metrics = await partitionMetrics();
    expect(metrics.unwritten).toBe(0);
    return metrics;
  });
  const stage = await testHost.open({ partitions: 4 });
  await stage.tell('a', { do: 'add', count: 5 });
  await eventually(async () => expect(await partitionMetrics()).toEqual({ ...before, serving: before.serving + 4 }));
  await stage.kill();
  expect(await partitionMetrics()).toEqual(before);
});

test('exports waiting, loaded, written and load counts for each kind', async () => {
  const metric = async (name: string, labels = ''): Promise<number> => {
    const line = new RegExp(`^stoa_actor_${name}\\{kind="seat"${labels}[^}]*\\} (\\S+)$`, 'm');
    return Number(line.exec(await registry.metrics())?.[1] ?? 0);
  };
  const MEASURES = ['batch_records_count', 'append_seconds_count', 'commands_total', 'wakes_total'] as const;
  const all = async () =>
    Object.fromEntries(await Promise.all(MEASURES.map(async (name) => [name, await metric(name)])));
  const before = await all();
  let stage = await testHost.open();
  await stage.tell('a', { do: 'add', count: 5 });
  expect([await metric('awake'), await metric('mailbox')]).toEqual([expect.any(Number), 0]);
  expect(await metric('awake')).toBeGreaterThan(0);
  await stage.stop();
  stage = await testHost.open();
  expect(await stage.tell('a', { do: 'look' })).toMatchObject({ free: 5 });
  await eventually(async () => {
    const after = await all();
    for (const name of MEASURES) expect(after[name], name).toBeGreaterThan(before[name]);
  });
  expect(await registry.metrics()).toContain('# TYPE stoa_actor_lost_fences_total counter');
});

test('logs move to a host that joins, and back when it leaves, with all that was metric', {
  timeout: 90_000,
}, async () => {
  const SEATS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const first = await testHost.open({ partitions: PARTITIONS });
  for (const id of SEATS) await first.tell(id, { do: 'add', count: 1 });
  const second = await testHost.open({ partitions: PARTITIONS });
  const owned = ({ actors }: Stage): number => actors.serving.length;
  await eventually(() => {
    expect(owned(first) + owned(second)).toBe(PARTITIONS);
    expect(owned(first) * owned(second)).toBeGreaterThan(0);
  }, MOVED_MS_MAX);
  // In a theatre no host reaches the other: the host that owns a log at that moment is asked itself.
  const held = (id: string, stages: readonly Stage[]): Promise<void> =>
    eventually(async () => {
      const number = partitionOf(kinds.address(kind, TENANT, id).key, PARTITIONS);
      const owner = stages.find(({ actors }) => actors.serving.includes(number))!;
      const call = { deadline: testHost.clock.real() + 3_000 };
      const answer = await owner.tell(id, { do: 'hold', hold: 'x', count: 1, ms: 3_600_000 }, call);
      expect(answer).toEqual({ free: 0, sold: 0, held: 1 });
    }, MOVED_MS_MAX);
  for (const id of SEATS) await held(id, [first, second]);
  await second.stop();
  await eventually(() => expect(owned(first)).toBe(PARTITIONS), MOVED_MS_MAX);
  for (const id of SEATS) await held(id, [first]);
});
