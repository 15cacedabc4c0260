// Event consumers: each event takes effect once despite redelivery, lost messages and killed processes.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { batchSubject, packEvents } from '#runtime/event/batch.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import type { Bus } from '#runtime/nats/bus.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox, sweepInbox } from '#runtime/postgres/inbox.ts';
import type { InboxOptions } from '#runtime/postgres/inbox_transaction.ts';
import { eventStream, type Outbox, startOutbox } from '#runtime/postgres/outbox.ts';
import type { IsFollowed } from '#runtime/postgres/outbox_row.ts';
import { CONNECT_TIMEOUT_MS } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { anyEvent, untyped } from '#test/support/event.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import {
  eventually,
  freshDatabase,
  freshNamespace,
  openPostgres,
  serverUrls,
  type TestDatabase,
  testLog,
} from '#test/support/server.ts';

const TENANT: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'sandbox' };

const RETRIES_MS_MAX = 60_000;

let database: TestDatabase;
let postgres: Postgres;
let bus: Bus;
let namespace: string;
let outbox: Outbox;
const inboxes: Inbox[] = [];
const proxies: TestProxy[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url, { connectionsMax: 20 });
  await postgres.sql`create table effect (event text, type text, tenant text, id text)`;
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
beforeEach(async () => {
  namespace = freshNamespace();
  bus = connectBus({ url: serverUrls().nats, name: 'inbox-test', log: testLog() });
  await eventually(() => bus.ensureStream(eventStream(namespace, 1)));
  const followed: IsFollowed = (sql, row) => sql`${row}.environment = 'production'`;
  outbox = startOutbox({ postgres, bus, namespace, clock: systemClock(), log: testLog(), followed });
});
afterEach(async () => {
  await Promise.all(inboxes.splice(0).map((inbox) => inbox.stop()));
  await outbox.stop();
  await bus.close();
  for (const proxy of proxies.splice(0)) await proxy.close();
  await postgres.sql`truncate effect, runtime.inbox, runtime.dead_event, runtime.outbox, runtime.event`;
});

const record: InboxOptions['handle'] = async (tx, event, tenant) => {
  await tx.sql`
    insert into effect values (${event.id}, ${event.type}, ${tenant.environment}, ${String(untyped(event.data.object).id)})`;
};
const start = (options: Partial<InboxOptions> = {}): Inbox => {
  const inbox = startInbox({
    postgres,
    bus,
    namespace,
    log: testLog(),
    name: 'reader',
    types: ['product.*', 'store.updated'],
    handle: record,
    retryMs: 20,
    ...options,
  });
  inboxes.push(inbox);
  return inbox;
};
const emit = (type: string, from: number, count = 1) =>
  postgres.transaction((tx) =>
    tx.emit(
      TENANT,
      Array.from({ length: count }, (_, at) => anyEvent(type, { id: `${type} ${from + at}` })),
    ),
  );
const effects = async (): Promise<string[]> => {
  const rows = await postgres.sql<{ id: string }[]>`select id from effect order by id collate "C"`;
  return rows.map(({ id }) => id);
};
const named = (type: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${type} ${at}`).sort();

describe('an event', () => {
  test('reaches the consumers that want its type or group, with its tenant, and no others', async () => {
    start();
    await emit('product.created', 0);
    await emit('product.stock_low', 0);
    await emit('store.updated', 0);
    await emit('store.created', 0);
    await emit('product', 0);
    await emit('product.updated', 0);
    await eventually(async () => expect(await effects()).toContain('product.updated 0'));
    expect(await effects()).toEqual([
      'product.created 0',
      'product.stock_low 0',
      'product.updated 0',
      'store.updated 0',
    ]);
    expect(await postgres.sql`select distinct tenant from effect`).toEqual([{ tenant: 'sandbox' }]);
  });

  test('reaches every consumer, and one process of each', async () => {
    for (const name of ['reader', 'reader', 'reader', 'other', 'other']) start({ name });
    await emit('product.created', 0, 300);
    await eventually(async () => expect(await effects()).toHaveLength(600));
    const consumers =
      await postgres.sql`select consumer, count(*) from runtime.inbox group by consumer order by consumer`;
    expect(consumers).toEqual([
      { consumer: 'other', count: 300 },
      { consumer: 'reader', count: 300 },
    ]);
  });

  test('marks each event of a batch in which a store follows any event', async () => {
    const received: boolean[][] = [];
    start({
      due: (heads) => {
        received.push(heads.map(({ followed }) => followed));
        return heads;
      },
    });
    const ofOthers: Tenant = { ...TENANT, environment: 'production' };
    for (const tenants of [[TENANT], [ofOthers], [TENANT, ofOthers]]) {
      const before = received.flat().length;
      await postgres.transaction(async (tx) => {
        for (const tenant of tenants) await tx.emit(tenant, [anyEvent('product.created', { id: '1' })]);
      });
      await eventually(() => expect(received.flat()).toHaveLength(before + tenants.length));
    }
    expect(received.flat()).toEqual([false, true, true, true]);
  });

  test('published twice has its effect once', async () => {
    start();
    await emit('product.created', 0);
    await eventually(async () => expect(await effects()).toHaveLength(1));
    const [row] = await postgres.sql<{ event: string }[]>`select event from effect`;
    const again = { ...TENANT, heads: `product.created ${row?.event}`, places: '1' };
    const packed = packEvents([again]);
    // Another message id, as after the time in which the stream recognises one.
    await bus.append(batchSubject(namespace, [again]), packed, { id: 'another' });
    await emit('product.created', 1);
    await eventually(async () => expect(await effects()).toEqual(named('product.created', 2)));
  });

  test('skips an unreadable message and blocks no other', async () => {
    start();
    const subject = batchSubject(namespace, []);
    await bus.append(subject, Buffer.from('x'), { id: 'nothing' });
    await bus.append(subject, Buffer.from(`${TENANT.store} moon product.created evt_1 1\n`), { id: 'moon' });
    await emit('product.created', 0);
    await eventually(async () => expect(await effects()).toEqual(['product.created 0']));
  });
});

test('a handler of all that came together is given each once, in order, with its bytes', async () => {
  const given: string[] = [];
  const beside: Pick<EventEnvelope, 'created_at' | 'sequence'>[] = [];
  start({
    types: ['*'],
    handle: undefined,
    handleAll: async (tx, arrivals) => {
      for (const { tenant, event } of arrivals)
        await tx.sql`insert into effect values (${event.id}, ${event.type}, ${tenant.environment}, ${String(untyped(event.data.object).id)})`;
      given.push(...arrivals.map(({ event }) => event.text));
      beside.push(...arrivals.map(({ event: { created_at, sequence } }) => ({ created_at, sequence })));
    },
  });
  for (let at = 0; at < 5; at++) await emit(at % 2 ? 'order.created' : 'product.created', at);
  await eventually(async () => expect(await effects()).toHaveLength(5));
  const events = given.map((text) => JSON.parse(text) as EventEnvelope);
  expect(events.map(({ data }) => untyped(data.object).id)).toEqual([
    'product.created 0',
    'order.created 1',
    'product.created 2',
    'order.created 3',
    'product.created 4',
  ]);
  expect(beside).toEqual(events.map(({ created_at, sequence }) => ({ created_at, sequence })));
  const places = events.map(({ sequence }) => sequence);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(new Set(places).size).toBe(5);
});

test('delivers each head once and in order, markers included', async () => {
  const received: string[] = [];
  start({
    types: ['*'],
    handle: undefined,
    handleHeads: async (_tx, heads) => void received.push(...heads.map(({ type }) => type)),
  });
  await emit('product.created', 0, 2);
  await emit('order.created', 0);
  await postgres.transaction((tx) => tx.emitMarker(TENANT, 'test.marked'));
  await eventually(() =>
    expect(received).toEqual(['product.created', 'product.created', 'order.created', 'test.marked']),
  );
});

test('an event that the log holds no more, as of a sandbox that was reset, is as if it had never been', async () => {
  await outbox.stop();
  await emit('product.created', 0, 3);
  await postgres.sql`
    create rule forget as on insert to runtime.event where new.payload like '%product.created 1%' do instead nothing`;
  outbox = startOutbox({ postgres, bus, namespace, clock: systemClock(), log: testLog() });
  start();
  await emit('product.created', 3);
  await eventually(async () => expect(await effects()).toContain('product.created 3'));
  await postgres.sql`drop rule forget on runtime.event`;
  expect(await effects()).toEqual(['product.created 0', 'product.created 2', 'product.created 3']);
});

describe('a handler', () => {
  test('applies every event once when a handler fails at times', async () => {
    let calls = 0;
    start({
      handle: async (tx, event, tenant) => {
        await record(tx, event, tenant);
        if (++calls % 3 === 0) throw new Error('now and then');
      },
    });
    await emit('product.created', 0, 100);
    // Each further delivery of a message doubles its delay.
    await eventually(async () => expect(await effects()).toEqual(named('product.created', 100)), RETRIES_MS_MAX);
  });

  test('stores an event that always fails with its problem, and passes the others', async () => {
    start({
      deliveriesMax: 3,
      handle: async (tx, event, tenant) => {
        if (untyped(event.data.object).id === 'product.created 5') throw new Error('poison');
        await record(tx, event, tenant);
      },
    });
    await emit('product.created', 0, 10);
    await eventually(async () => {
      const dead = await postgres.sql`select consumer, payload, problem from runtime.dead_event`;
      expect(dead).toEqual([
        { consumer: 'reader', payload: expect.stringContaining('product.created 5'), problem: 'Error: poison' },
      ]);
    });
    expect(await effects()).toEqual(named('product.created', 10).filter((id) => id !== 'product.created 5'));
    expect(await postgres.sql`select 1 from runtime.inbox`).toHaveLength(9);
  });

  test('writes no note for repeatable events', async () => {
    start({ repeatable: (type) => type === 'product.created' });
    await emit('product.created', 0, 3);
    await emit('product.updated', 0, 2);
    await eventually(async () => expect(await effects()).toHaveLength(5));
    expect(await postgres.sql`select event from runtime.inbox`).toHaveLength(2);
  });

  test('emits further events in the same transaction', async () => {
    start({
      types: ['product.created'],
      handle: (tx, event, tenant) => tx.emit(tenant, [anyEvent('feature.status_changed', event.data.object)]),
    });
    start({ name: 'second', types: ['feature.status_changed'] });
    await emit('product.created', 0, 5);
    await eventually(async () => expect(await effects()).toEqual(named('product.created', 5)));
  });
});

describe('in trouble', () => {
  test('the bus cut again and again: every event has its effect once', async () => {
    const proxy = await startProxy(serverUrls().nats);
    proxies.push(proxy);
    const shaky = connectBus({ url: proxy.url, name: 'shaky', log: testLog() });
    const inbox = start({ bus: shaky });
    for (let round = 0; round < 6; round++) {
      await emit('product.created', round * 50, 50);
      await eventually(async () => expect((await effects()).length).toBeGreaterThan(round * 50));
      proxy.cut();
    }
    await eventually(async () => expect(await effects()).toHaveLength(300), 28_000);
    await inbox.stop();
    await shaky.close();
  });

  test('the database frozen for a while: every event has its effect once', async () => {
    const proxy = await startProxy(database.url);
    proxies.push(proxy);
    const shaky = openPostgres(proxy.url, { statementTimeoutMs: 500, connectTimeoutMs: () => CONNECT_TIMEOUT_MS });
    const inbox = start({ postgres: shaky });
    await emit('product.created', 0, 50);
    await eventually(async () => expect(await effects()).toHaveLength(50));
    proxy.freeze();
    await emit('product.created', 50, 50);
    await eventually(() => expect(shaky.available).toBe(false));
    proxy.thaw();
    await eventually(async () => expect(await effects()).toHaveLength(100));
    await inbox.stop();
    await shaky.close();
  });

  test('handles nothing twice after its consumer was deleted and recreated', async () => {
    start();
    await emit('product.created', 0, 20);
    await eventually(async () => expect(await effects()).toHaveLength(20));
    bus.publish(`$JS.API.CONSUMER.DELETE.${eventStream(namespace, 1).name}.reader`, new Uint8Array());
    await emit('product.created', 20, 20);
    await eventually(async () => expect(await effects()).toHaveLength(40));
  });
});

test('old notes are swept, new ones stay', async () => {
  await postgres.sql`
    insert into runtime.inbox (consumer, event, handled_at)
    values ('c', 'old', now() - interval '15 days'), ('c', 'new', now() - interval '8 days')`;
  expect(await sweepInbox(postgres)).toBe(1);
  expect(await postgres.sql`select event from runtime.inbox`).toEqual([{ event: 'new' }]);
});
