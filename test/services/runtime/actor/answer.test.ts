// Answers under idempotency keys as actors remember them, on real servers, in one partition.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Idempotency, Tenant } from '#runtime/call/call.ts';
import { eventually } from '#test/support/server.ts';
import { type ActorTestHost, openActorTestHost, type Stage } from './actor_test_host.ts';
import { type TicketAnswer, ticket } from './ticket.ts';

const storeOf = (digit: string): string =>
  `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
const TENANTS: readonly Tenant[] = ['1', '2'].flatMap((digit) =>
  (['production', 'sandbox'] as const).map((environment) => ({ store: storeOf(digit), environment })),
);
const RETRY: Idempotency = { key: 'k', scope: 'POST /seats', fingerprint: 'f', replayOnly: false };

let testHost: ActorTestHost;
beforeEach(async () => {
  testHost = await openActorTestHost();
});
afterEach(() => testHost.close());

describe('equal keys, ids and commands of two stores in two environments', () => {
  /** The `place`th tenant adds one seat more than the one before it did. */
  const add = async ({ actors }: Stage, tenant: Tenant, place: number) => {
    const call = { tenant, idempotency: RETRY } as Parameters<typeof actors.idempotentCall>[0];
    const started = actors.idempotentCall(call);
    const deadline = testHost.clock.real() + 30_000;
    const command = { do: 'add', count: place + 1 } as const;
    const options = { commandId: randomUUID(), deadline, idempotency: RETRY };
    const answer = await started.actors
      .tell(ticket, tenant, 'a', command, options)
      .catch((ended: unknown) => (started.response ? null : Promise.reject(ended)));
    return { started, answer: answer as TicketAnswer | null };
  };
  const addAll = (stage: Stage) => Promise.all(TENANTS.map((tenant, place) => add(stage, tenant, place)));
  const freeOf = (stage: Stage) =>
    Promise.all(
      TENANTS.map(async (tenant) => ((await stage.tell('a', { do: 'look' }, { tenant })) as TicketAnswer).free),
    );

  test('gives equal keys of two tenants separate effects and answers, from memory, log and database', async () => {
    let stage = await testHost.open({ partitions: 1 });
    const own = [1, 2, 3, 4];
    const expectAnswers = async (replayed: boolean) => {
      const calls = await addAll(stage);
      expect(calls.map(({ started, answer }) => [started.replayed, answer?.free])).toEqual(
        own.map((free) => [replayed, free]),
      );
      expect(await freeOf(stage)).toEqual(own);
      return calls;
    };
    await expectAnswers(false);
    await expectAnswers(true);
    await stage.kill();
    stage = await testHost.open({ partitions: 1 });
    await expectAnswers(true);
    await stage.stop();
    stage = await testHost.open({ partitions: 1 });
    await expectAnswers(true);
  });

  test('keep a whole response each', async () => {
    let stage = await testHost.open({ partitions: 1 });
    const calls = await addAll(stage);
    calls.forEach(({ started }, place) => void started.storeResponse(Buffer.from(`response ${place}`)));
    const own = TENANTS.map((_, place) => `response ${place}`);
    const responses = async () =>
      (await addAll(stage)).map(({ started: { response } }) => response && Buffer.from(response).toString());
    expect(await responses()).toEqual(own);
    await eventually(async () => {
      const rows = await testHost.postgres.sql`select from runtime.idempotency where rendered`;
      expect(rows).toHaveLength(own.length);
    });
    await stage.stop();
    stage = await testHost.open({ partitions: 1 });
    expect(await responses()).toEqual(own);
    expect(await freeOf(stage)).toEqual([1, 2, 3, 4]);
  });
});
