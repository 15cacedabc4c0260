// Changes the number of logs while actors get commands, on real servers; no command is lost or executed twice.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Layout } from '#runtime/actor/layout.ts';
import { changeLayout, forgetLogs, openLayout, postgresLayouts } from '#runtime/actor/layout_table.ts';
import type { Idempotency } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { type ActorTestHost, openActorTestHost, SANDBOX, type Stage } from './actor_test_host.ts';

const SEATS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const CALLERS = 20;
const CHANGED_MS_MAX = 30_000;
const HOUR_MS = 3_600_000;

let testHost: ActorTestHost;
beforeEach(async () => {
  testHost = await openActorTestHost();
});
afterEach(() => testHost.close());

const layoutNow = (): Promise<Layout> => postgresLayouts(testHost.postgres).read();

const changed = (): Promise<Layout> =>
  eventually(async () => {
    const layout = await layoutNow();
    expect(layout.previous).toBeNull();
    return layout;
  }, CHANGED_MS_MAX);

/** Callers who add one seat at a time, each under a key that it repeats until there is an answer. */
const openCallers = (stage: () => Stage) => {
  let stopped = false;
  const added = new Map(SEATS.map((id) => [id, 0]));
  const call = async (caller: number): Promise<void> => {
    for (let at = 0; !stopped; at++) {
      const id = SEATS[(caller + at) % SEATS.length]!;
      const idempotency: Idempotency = {
        key: randomUUID(),
        scope: 'POST /seats',
        fingerprint: 'f',
        replayOnly: false,
      };
      for (let answered = false; !answered; )
        try {
          // Twice at once, as an impatient caller does it.
          const tell = () => stage().tell(id, { do: 'add', count: 1 }, { idempotency });
          await Promise.all([tell(), tell()]);
          answered = true;
        } catch (problem) {
          if (!(problem instanceof UnknownOutcome)) expect(problem).toBeInstanceOf(Unavailable);
        }
      added.set(id, added.get(id)! + 1);
    }
  };
  const calls = Array.from({ length: CALLERS }, (_, caller) => call(caller));
  return {
    added,
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(calls);
    },
  };
};

test('one log becomes eight, and eight become three, under callers none of whose seats is lost or added twice', {
  timeout: 120_000,
}, async () => {
  let stage = await testHost.open({ partitions: 1 });
  const callers = openCallers(() => stage);
  for (const [at, partitions] of [8, 3].entries()) {
    expect(await changeLayout(testHost.postgres, partitions)).toMatchObject({ kind: 'begun' });
    expect(await changed()).toMatchObject({ epoch: at + 1, partitions });
    await eventually(() => expect(stage.actors.serving).toHaveLength(partitions), CHANGED_MS_MAX);
    expect(stage.actors.serving[0]).toBe(256 * (at + 1));
  }
  await callers.stop();
  for (const id of SEATS) expect(await stage.tell(id, { do: 'look' })).toMatchObject({ free: callers.added.get(id) });
  await stage.stop();
  stage = await testHost.open({ partitions: 5 });
  for (const id of SEATS) expect(await stage.tell(id, { do: 'look' })).toMatchObject({ free: callers.added.get(id) });
  expect(stage.actors.serving).toHaveLength(3);
  // A host that stood still meanwhile brings no sealed log forward.
  const { sql } = testHost.postgres;
  await expect(sql`update runtime.partition set batch = batch + 1, sequence = 7 where partition = 0`).rejects.toThrow(
    'partition_sealed_check',
  );
});

test('alarms actors idle since before a change, and resets them with their sandbox', async () => {
  let stage = await testHost.open({ partitions: 2 });
  const holds = { production: 1_500, sandbox: HOUR_MS };
  for (const id of SEATS)
    for (const [environment, ms] of Object.entries(holds)) {
      const call = environment === 'sandbox' ? { tenant: SANDBOX } : {};
      await stage.tell(id, { do: 'add', count: 1 }, call);
      await stage.tell(id, { do: 'hold', hold: 'x', count: 1, ms }, call);
    }
  await stage.stop();
  await changeLayout(testHost.postgres, 5);
  stage = await testHost.open();
  await changed();
  expect(
    await testHost.postgres.sql`select from runtime.actor where partition < 256 and due_at is not null`,
  ).toHaveLength(0);
  await eventually(async () => {
    const ended = await testHost.postgres.sql`select from runtime.event where type = 'seat.expired'`;
    expect(ended.length).toBe(SEATS.length);
  }, CHANGED_MS_MAX);
  await stage.actors.forget(SANDBOX);
  expect(await testHost.postgres.sql`select from runtime.actor where environment = 'sandbox'`).toHaveLength(0);
  for (const id of SEATS) expect(await stage.tell(id, { do: 'look' })).toMatchObject({ free: 1, held: 0 });
});

test('refuses a change while one is pending, and ignores an equal number', async () => {
  await openLayout(testHost.postgres, testLog(), 2);
  expect(await changeLayout(testHost.postgres, 2)).toMatchObject({ kind: 'same' });
  expect(await changeLayout(testHost.postgres, 4)).toMatchObject({ kind: 'begun', layout: { retiring: [0, 1] } });
  expect(await changeLayout(testHost.postgres, 8)).toMatchObject({ kind: 'busy', layout: { partitions: 4 } });
  const changes = await Promise.all(Array.from({ length: CALLERS }, () => changeLayout(testHost.postgres, 4)));
  expect(changes.filter(({ kind }) => kind !== 'busy')).toEqual([]);
});

test('lets one of many concurrent changes win, and skips log numbers taken after a backup', async () => {
  await openLayout(testHost.postgres, testLog());
  await forgetLogs(testHost.postgres);
  const changes = await Promise.all(
    Array.from({ length: CALLERS }, (_, at) => changeLayout(testHost.postgres, 2 + at)),
  );
  const started = changes.filter(({ kind }) => kind === 'begun');
  expect(started).toHaveLength(1);
  expect(started[0]!.layout.epoch).toBeGreaterThan(1);
});
