// The lock of a sandbox: a reset waits for running transactions, refuses later ones, and drops events of the previous
// generation.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { startInbox } from '#runtime/postgres/inbox.ts';
import { eventStream, startOutbox } from '#runtime/postgres/outbox.ts';
import { enterSandboxes, retryAfterReset, SandboxShut } from '#runtime/postgres/sandbox_lock.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { anyEvent, outboxEvents, untyped } from '#test/support/event.ts';
import { addSandbox, closeSandbox, openSandbox, startSandboxGeneration } from '#test/support/sandbox_lock.ts';
import {
  eventually,
  freshDatabase,
  freshNamespace,
  openPostgres,
  serverUrls,
  type TestDatabase,
  testLog,
} from '#test/support/server.ts';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url, { connectionsMax: 20 });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const PATIENCE_MS = 5_000;
const sandbox = async (): Promise<Tenant> => {
  const tenant: Tenant = { store: randomUUID(), environment: 'sandbox' };
  await addSandbox(postgres, tenant);
  return tenant;
};
const emit = (tenant: Tenant, id: string) =>
  postgres.transaction((tx) => tx.emit(tenant, [anyEvent('product.created', { id })]));
const reset = async (tenant: Tenant): Promise<void> => {
  await closeSandbox(postgres, tenant, PATIENCE_MS);
  await postgres.transaction(({ sql }) => startSandboxGeneration(sql, tenant));
  await openSandbox(postgres, tenant);
};
const isShut = (tenant: Tenant): Promise<boolean> =>
  postgres.transaction(async ({ sql }) => (await enterSandboxes(sql, [tenant]))(tenant).shut);
/** Resolves once a call is in, with how to let it go. */
const somebodyIn = async (tenant: Tenant) => {
  let go = (): void => {};
  const left = new Promise<void>((done) => (go = done));
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>((entered) => {
    done = postgres.transaction(async ({ sql }) => {
      expect((await enterSandboxes(sql, [tenant]))(tenant).shut).toBe(false);
      entered();
      await left;
    });
  });
  return { go, done };
};

describe('a sandbox is shut', () => {
  test('once those who are in have ended, for all who come after', async () => {
    const [tenant, other] = [await sandbox(), await sandbox()];
    const [mine, theirs] = [await somebodyIn(tenant), await somebodyIn(other)];
    let closed = false;
    const shutting = closeSandbox(postgres, tenant, PATIENCE_MS).then(() => {
      closed = true;
    });
    await eventually(async () => expect(await isShut(tenant)).toBe(true));
    await Bun.sleep(50);
    expect(closed).toBe(false);
    mine.go();
    await shutting;
    expect([await isShut(tenant), await isShut(other)]).toEqual([true, false]);
    let written = false;
    const waiting = emit(tenant, 'a').then(() => {
      written = true;
    });
    await emit(other, 'b');
    await emit({ ...tenant, environment: 'production' }, 'c');
    theirs.go();
    await Promise.all([mine.done, theirs.done]);
    expect(written).toBe(false);
    await openSandbox(postgres, tenant);
    await waiting;
    await emit(tenant, 'd');
    expect(
      (await outboxEvents(postgres.sql, { store: tenant.store })).map(({ data }) => untyped(data.object).id),
    ).toEqual(['c', 'a', 'd']);
    await postgres.sql`truncate runtime.outbox`;
  });

  test('gives up when the wait takes too long', async () => {
    const tenant = await sandbox();
    const inside = await somebodyIn(tenant);
    await expect(closeSandbox(postgres, tenant, 30)).rejects.toBeInstanceOf(Unavailable);
    expect(await isShut(tenant)).toBe(false);
    inside.go();
    await inside.done;
  });

  test('once what was told before is in the log', async () => {
    const tenant = await sandbox();
    await emit(tenant, 'a');
    await expect(closeSandbox(postgres, tenant, 30)).rejects.toBeInstanceOf(Unavailable);
    await postgres.sql`truncate runtime.outbox`;
    await closeSandbox(postgres, tenant, PATIENCE_MS);
    await openSandbox(postgres, tenant);
  });

  test('and no other tenant’s events wait for it, where those of many are told together', async () => {
    const [tenant, other] = [await sandbox(), await sandbox()];
    await closeSandbox(postgres, tenant, PATIENCE_MS);
    const occurrences = [tenant, other].map((each) => ({
      tenant: each,
      event: anyEvent('product.created', { id: each.store }),
      createdAt: new Date(),
    }));
    const all = postgres.transaction((tx) => tx.emitAll(occurrences));
    await postgres.transaction((tx) => tx.emitAll(occurrences, { skipsShutSandboxes: true }));
    expect((await outboxEvents(postgres.sql)).map(({ data }) => untyped(data.object).id)).toEqual([other.store]);
    await openSandbox(postgres, tenant);
    await all;
    await postgres.sql`truncate runtime.outbox`;
  });

  test('while a reset clears it, however long its lease has ended', async () => {
    const tenant = await sandbox();
    await closeSandbox(postgres, tenant, PATIENCE_MS);
    await postgres.transaction(async ({ sql }) => {
      await startSandboxGeneration(sql, tenant);
      await sql`update runtime.sandbox set leased_until = now() where store = ${tenant.store}`;
      expect(await isShut(tenant)).toBe(true);
      await expect(emit(tenant, 'a')).rejects.toBeInstanceOf(SandboxShut);
    });
    expect(await isShut(tenant)).toBe(false);
    await postgres.sql`truncate runtime.outbox`;
  });

  test('refuses a write that waits too long, without any effect', async () => {
    const tenant = await sandbox();
    await closeSandbox(postgres, tenant, PATIENCE_MS);
    await expect(emit(tenant, 'a')).rejects.toBeInstanceOf(Unavailable);
    await openSandbox(postgres, tenant);
    expect(await outboxEvents(postgres.sql, { store: tenant.store })).toEqual([]);
  });
});

test('polls once for many waiters of one sandbox', async () => {
  const { store } = await sandbox();
  let asked = 0;
  const counting = Object.assign((...statement: Parameters<typeof postgres.sql>) => {
    asked++;
    return postgres.sql(...statement);
  }, postgres.sql) as typeof postgres.sql;
  const caller = (number: number): Promise<number> => {
    let tries = 0;
    return retryAfterReset(counting, async () => {
      if (tries++ === 0) throw new SandboxShut([store]);
      return number;
    });
  };
  const numbers = Array.from({ length: 50 }, (_, at) => at);
  expect(await Promise.all(numbers.map(caller))).toEqual(numbers);
  expect(asked).toBe(1);
});

describe('a transaction that names its tenant', () => {
  test('waits for a transaction without events, and publishes those it emits at its end', async () => {
    const tenant = await sandbox();
    let go = (): void => {};
    const left = new Promise<void>((done) => (go = done));
    let done: Promise<void> = Promise.resolve();
    await new Promise<void>((began) => {
      done = postgres.transaction(async (tx) => {
        began();
        await left;
        await tx.emit(tenant, [anyEvent('product.created', { id: 'a' })]);
      }, tenant);
    });
    const shutting = closeSandbox(postgres, tenant, PATIENCE_MS);
    await eventually(async () => expect(await isShut(tenant)).toBe(true));
    go();
    await done;
    const waiting = await outboxEvents(postgres.sql, { store: tenant.store });
    expect(waiting.map(({ data }) => untyped(data.object).id)).toEqual(['a']);
    await postgres.sql`truncate runtime.outbox`;
    await shutting;
    await openSandbox(postgres, tenant);
  });

  test('begins once its sandbox is open, and is sent away where that takes too long', async () => {
    const tenant = await sandbox();
    await closeSandbox(postgres, tenant, PATIENCE_MS);
    let started = 0;
    const begin = () => postgres.transaction(() => void started++, tenant);
    await expect(begin()).rejects.toBeInstanceOf(Unavailable);
    const waiting = begin();
    await postgres.transaction(() => {}, { ...tenant, environment: 'production' });
    expect(started).toBe(0);
    await openSandbox(postgres, tenant);
    await waiting;
    expect(started).toBe(1);
  });
});

describe('an event', () => {
  test('drops events of before a reset, in any order of arrival', async () => {
    const namespace = freshNamespace();
    const bus = connectBus({ url: serverUrls().nats, name: 'sandbox-lock-test', log: testLog() });
    await eventually(() => bus.ensureStream(eventStream(namespace, 1)));
    const outbox = startOutbox({ postgres, bus, namespace, clock: systemClock(), log: testLog() });
    const [tenant, other] = [await sandbox(), await sandbox()];
    for (const id of ['before 1', 'before 2']) await emit(tenant, id);
    await emit(other, 'another 1');
    await eventually(async () => expect(await postgres.sql`select from runtime.outbox`).toHaveLength(0));
    // No consumer has taken them in yet.
    await reset(tenant);
    await emit(tenant, 'after 1');
    const [effects, received]: [string[], string[]] = [[], []];
    const inbox = startInbox({
      postgres,
      bus,
      namespace,
      log: testLog(),
      name: 'sandbox_lock_reader',
      types: ['product.*'],
      handleHeads: async (_tx, heads) => void received.push(...heads.map(({ tenant: { store } }) => store)),
      handle: (_tx, event) => void effects.push(String(untyped(event.data.object).id)),
    });
    await emit(tenant, 'after 2');
    await emit(other, 'another 2');
    await eventually(() => expect(effects).toHaveLength(4));
    expect(effects.sort()).toEqual(['after 1', 'after 2', 'another 1', 'another 2']);
    expect(received.filter((store) => store === tenant.store)).toHaveLength(2);
    await inbox.stop();
    await outbox.stop();
    await bus.close();
  });
});
