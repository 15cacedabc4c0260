// Events on their way out: what a transaction causes is logged and published exactly when it commits, in order, and never
// lost.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { postgresSnapshots } from '#runtime/actor/snapshot.ts';
import { refuse, type Tenant } from '#runtime/call/call.ts';
import { unpackEvents } from '#runtime/event/batch.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import type { Event, SerializedEvent } from '#runtime/event/event.ts';
import { type Bus, connectBus } from '#runtime/nats/nats.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { eventStream, type Outbox, startOutbox } from '#runtime/postgres/outbox.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { anyEvent, loggedEvent, outboxEvents, untyped } from '#test/support/event.ts';
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

const PRODUCTION: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'production' };
const SANDBOX: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'sandbox' };
const NOON = Date.parse('2026-01-01T12:00:00.000Z');

const clock = manualClock(NOON);
let database: TestDatabase;
let postgres: Postgres;
let proxy: TestProxy;
let bus: Bus;
let namespace: string;
const outboxes: Outbox[] = [];

const start = (through: Bus = bus, by: Postgres = postgres): Outbox => {
  const outbox = startOutbox({ postgres: by, bus: through, namespace, clock, log: testLog() });
  outboxes.push(outbox);
  return outbox;
};

const emit = (tenant: Tenant, ...events: (Event | SerializedEvent)[]) =>
  postgres.transaction((tx) => tx.emit(tenant, events));
const numbered = (from: number, count: number): Event[] =>
  Array.from({ length: count }, (_, at) => anyEvent('product.created', { id: `p${from + at}` }));

const rows = (): Promise<EventEnvelope[]> => outboxEvents(postgres.sql);

interface Published {
  readonly tenant: Tenant;
  readonly event: EventEnvelope;
}

/** All that is in the stream, in its order: so many at least, asked for until they are there, however busy the machine. */
const published = async (atLeast: number): Promise<Published[]> => {
  const direct = connectBus({ url: serverUrls().nats, name: 'reader', log: testLog() });
  try {
    await eventually(() => expect(direct.connected).toBe(true));
    const consumer = direct.consumer({
      stream: eventStream(namespace, 1).name,
      durable: `reader${Math.random().toString(36).slice(2)}`,
      ackWaitMs: 30_000,
      pendingMax: 10_000,
    });
    const all: Published[] = [];
    for (const until = performance.now() + 15_000; ; ) {
      const batch = await consumer.next(1_000, 300);
      if (batch.length === 0 && (all.length >= atLeast || performance.now() > until)) return all;
      for (const { tenant, id } of batch.flatMap((message) => unpackEvents(message.bytes).map((event) => event!)))
        all.push({ tenant, event: (await loggedEvent(postgres.sql, tenant, id))! });
    }
  } finally {
    await direct.close();
  }
};

const drained = () =>
  eventually(async () => expect(await postgres.sql`select 1 from runtime.outbox`).toHaveLength(0), 20_000);

const logged = async (): Promise<unknown[]> => {
  const found = await postgres.sql<{ id: string }[]>`
    select payload::jsonb -> 'data' -> 'object' ->> 'id' as id from runtime.event order by transaction_id, sequence`;
  return found.map(({ id }) => id);
};
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `p${at}`);

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url, { clock });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
beforeEach(async () => {
  namespace = freshNamespace();
  proxy = await startProxy(serverUrls().nats);
  bus = connectBus({ url: proxy.url, name: 'outbox-test', log: testLog() });
});
afterEach(async () => {
  for (const outbox of outboxes.splice(0)) await outbox.stop();
  await bus.close();
  await proxy.close();
  await postgres.sql`truncate runtime.outbox, runtime.event`;
  clock.setOffset(SANDBOX, 0);
});

describe('the envelope', () => {
  test("writes the documented envelope, by the tenant's clock", async () => {
    clock.setOffset(SANDBOX, 3_600_000);
    await emit(SANDBOX, anyEvent('product.updated', { id: 'p1', price: 2 }, { price: 1 }));
    await emit(PRODUCTION, anyEvent('product.created', { id: 'p2' }));
    expect(await rows()).toEqual([
      {
        id: expect.stringMatching(new RegExp(`^evt_${NOON + 3_600_000}_[0-9a-f]{16}$`)),
        type: 'product.updated',
        created_at: '2026-01-01T13:00:00.000Z',
        store_id: SANDBOX.store,
        api_version: 'v1',
        data: { object: { id: 'p1', price: 2 } },
        previous_attributes: { price: 1 },
        sequence: expect.any(Number),
      },
      {
        id: expect.stringMatching(new RegExp(`^evt_${NOON}_[0-9a-f]{16}$`)),
        type: 'product.created',
        created_at: '2026-01-01T12:00:00.000Z',
        store_id: PRODUCTION.store,
        api_version: 'v1',
        data: { object: { id: 'p2' } },
        sequence: expect.any(Number),
      },
    ]);
  });

  test('counts on with every event, so that those of one object stand in their order', async () => {
    await emit(PRODUCTION, ...numbered(0, 3));
    await emit(SANDBOX, ...numbered(3, 2));
    const events = await rows();
    expect(events.map(({ data }) => untyped(data.object).id)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
    for (const [at, { sequence }] of events.slice(1).entries()) expect(sequence).toBeGreaterThan(events[at]!.sequence);
  });

  test.each([
    ['just fits', 'x', 255_000, false],
    ['is too large', 'x', 257_000, true],
    ['is too large in bytes, not in letters', 'ま', 100_000, true],
  ])('of an object that %s', async (_, letter, length, shrinks) => {
    const object = { id: 'p1', text: letter.repeat(length) };
    const previousAttributes = { price: 1 };
    await emit(PRODUCTION, anyEvent('product.updated', object, previousAttributes));
    await emit(PRODUCTION, { type: 'product.updated', object: JSON.stringify(object), previousAttributes });
    const events = await rows();
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(untyped(event.data.object).truncated).toBe(shrinks ? true : undefined);
      expect(untyped(event.data.object).id).toBe('p1');
      expect(event.previous_attributes).toEqual({ price: 1 });
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(256_000);
    }
  });

  test('takes an object that is written already as it is, in one line', async () => {
    const object = { id: 'p1', text: 'two\nlines', price: 1.5 };
    await emit(PRODUCTION, { type: 'product.created', object: JSON.stringify(object, null, 2) });
    await emit(PRODUCTION, anyEvent('product.created', { id: 'p2' }));
    expect((await rows()).map(({ data }) => data.object)).toEqual([object, { id: 'p2' }]);
  });

  test('drops previous attributes that are too large', async () => {
    await emit(PRODUCTION, anyEvent('x.y', { id: 'p1' }, { text: 'x'.repeat(300_000) }));
    expect((await rows())[0]).toMatchObject({ data: { object: { id: 'p1', truncated: true } } });
    expect((await rows())[0]).not.toHaveProperty('previous_attributes');
  });

  test('keeps every byte of its object', async () => {
    const object = { id: 'p1', text: 'a"b\\c\n\t{},[]é\u2028🙂', nested: [{ '"': null }], price: 0.1 };
    await emit(PRODUCTION, anyEvent('x.y', object));
    expect((await rows())[0]?.data.object).toEqual(object);
  });
});

describe('publishing', () => {
  test('publishes committed events in order with their tenant, never refused or failed ones', async () => {
    start();
    await emit(PRODUCTION, ...numbered(0, 700));
    await postgres.transaction(async (tx) => {
      await tx.emit(PRODUCTION, numbered(10_000, 5));
      return refuse('conflict', 'no');
    });
    await postgres
      .transaction(async (tx) => {
        await tx.emit(PRODUCTION, numbered(20_000, 5));
        throw new Error('broken');
      })
      .catch(() => {});
    await emit(SANDBOX, anyEvent('store.updated', { id: 's' }));
    await drained();
    const all = await published(701);
    expect(all.map(({ event }) => untyped(event.data.object).id)).toEqual([
      ...Array.from({ length: 700 }, (_, at) => `p${at}`),
      's',
    ]);
    expect(all[0]?.tenant).toEqual(PRODUCTION);
    expect(all[700]?.tenant).toEqual(SANDBOX);
  });

  test('publishes events written while no publisher ran', async () => {
    await emit(PRODUCTION, ...numbered(0, 3));
    start();
    await drained();
    expect(await published(3)).toHaveLength(3);
  });

  test('a batch that was stored but not deleted, as by a kill in between: stored once', async () => {
    await emit(PRODUCTION, ...numbered(0, 20));
    await postgres.sql`create table outbox_copy as select * from runtime.outbox`;
    const outbox = start();
    await drained();
    await outbox.stop();
    await postgres.sql`
      insert into runtime.outbox (position, store, environment, heads, positions) overriding system value
      select position, store, environment, heads, positions from outbox_copy`;
    start();
    await drained();
    expect((await published(20)).map(({ event }) => untyped(event.data.object).id)).toEqual(ids(20));
    expect(await logged()).toEqual(ids(20));
  });

  test('the same bytes that were written, to the last', async () => {
    const object = { id: 'p1', text: 'a"b\\c\n\t{},[]é\u2028🙂', nested: [{ '"': null }], price: 0.1 };
    await postgres.transaction(async (tx) => {
      await tx.emit(SANDBOX, [anyEvent('product.updated', object, { price: 1e21 })]);
      await tx.emit(PRODUCTION, [{ type: 'order.created', object: JSON.stringify(object, null, 2) }]);
    });
    const written = await rows();
    start();
    await drained();
    expect((await published(2)).map(({ event }) => event)).toEqual(written);
    const stored = await postgres.sql`
      select id, type, sequence, store, environment, created_at from runtime.event order by sequence`;
    expect(stored).toEqual(
      written.map(({ id, type, sequence, store_id, created_at }, at) => {
        const environment = at === 0 ? 'sandbox' : 'production';
        return { id, type, sequence, store: store_id, environment, created_at: new Date(created_at) };
      }),
    );
  });

  test('a mark behind all before it, which the log does not show', async () => {
    await emit(PRODUCTION, ...numbered(0, 2));
    const id = await postgres.transaction((tx) => tx.emitMarker(PRODUCTION, 'test.marked'));
    const heads: unknown[] = [];
    const unhear = bus.subscribe(`${namespace}.event.>`, (message) =>
      heads.push(...unpackEvents(message).map((head) => head?.type)),
    );
    start();
    await drained();
    await eventually(() => expect(heads).toEqual(['product.created', 'product.created', 'test.marked']));
    unhear();
    expect(await loggedEvent(postgres.sql, PRODUCTION, id)).toBeNull();
    expect(await logged()).toEqual(ids(2));
  });

  test('into a log that forgets by the time of the house, whatever its tenant’s is', async () => {
    clock.setOffset(SANDBOX, 3_600_000);
    start();
    await emit(SANDBOX, ...numbered(0, 1));
    await drained();
    expect(await postgres.sql`select created_at, logged_at from runtime.event`).toEqual([
      { created_at: new Date(NOON + 3_600_000), logged_at: new Date(NOON) },
    ]);
  });

  test('logs actors’ events at once when nothing is waiting, else behind waiting ones', async () => {
    const snapshots = postgresSnapshots(postgres);
    const tell = (batch: number, events: readonly Event[]) =>
      snapshots.project(0, {
        from: { batch, sequence: batch },
        to: { batch: batch + 1, sequence: batch + 1 },
        actors: [],
        events: events.map((event) => ({ tenant: PRODUCTION, event, createdAt: new Date(NOON) })),
        audits: [],
        answers: [],
      });
    await tell(0, numbered(0, 2));
    expect(await logged()).toEqual(ids(2));
    await emit(PRODUCTION, ...numbered(2, 1));
    await tell(1, numbered(3, 2));
    expect(await logged()).toEqual(ids(2));
    start();
    await drained();
    await tell(2, numbered(5, 2));
    expect(await logged()).toEqual(ids(7));
    await drained();
    expect((await published(7)).map(({ event }) => untyped(event.data.object).id)).toEqual(ids(7));
  });

  test('publishes every event once and in order with many processes', async () => {
    for (let at = 0; at < 4; at++) start();
    for (let at = 0; at < 30; at++) await emit(PRODUCTION, ...numbered(at * 50, 50));
    await drained();
    expect((await published(1_500)).map(({ event }) => untyped(event.data.object).id)).toEqual(ids(1_500));
    expect(await logged()).toEqual(ids(1_500));
  });

  test('publishes every event once and in order after the publisher freezes', async () => {
    const between = await startProxy(database.url);
    const proxied = openPostgres(between.url, { clock });
    start(bus, proxied);
    await emit(PRODUCTION, ...numbered(0, 10));
    await drained();
    between.freeze();
    start();
    await emit(PRODUCTION, ...numbered(10, 10));
    await drained();
    between.thaw();
    await emit(PRODUCTION, ...numbered(20, 10));
    await drained();
    expect((await published(30)).map(({ event }) => untyped(event.data.object).id)).toEqual(ids(30));
    expect(await logged()).toEqual(ids(30));
    for (const outbox of outboxes.splice(0)) await outbox.stop();
    await proxied.close();
    await between.close();
  });

  test('hands publishing over as soon as the publisher stops', async () => {
    const first = start();
    await emit(PRODUCTION, ...numbered(0, 10));
    await drained();
    start();
    await first.stop();
    await emit(PRODUCTION, ...numbered(10, 10));
    await drained();
    expect((await published(20)).map(({ event }) => untyped(event.data.object).id)).toEqual(ids(20));
  });

  test('large events, in batches of bounded size', async () => {
    const large = numbered(0, 40).map(({ type, object }) => anyEvent(type, { ...object, text: 'x'.repeat(200_000) }));
    await emit(PRODUCTION, ...large);
    start();
    await drained();
    expect((await published(40)).map(({ event }) => untyped(event.data.object).id)).toEqual(
      Array.from({ length: 40 }, (_, at) => `p${at}`),
    );
  });
});

describe('while the bus is away', () => {
  test.each([
    ['frozen', () => proxy.freeze(), async () => proxy.thaw()],
    [
      'gone',
      () => proxy.close(),
      async () => {
        proxy = await startProxy(serverUrls().nats, proxy.port);
      },
    ],
  ] as const)('%s: writers do not wait, and all is published once it is back', async (_, leave, comeBack) => {
    start();
    await emit(PRODUCTION, ...numbered(0, 10));
    await drained();
    await leave();
    for (let at = 1; at <= 5; at++) await emit(PRODUCTION, ...numbered(at * 10, 10));
    await eventually(() => expect(bus.connected).toBe(false));
    // The log needs no bus.
    await eventually(async () => expect(await logged()).toEqual(ids(60)));
    expect(await postgres.sql`select 1 from runtime.outbox`).toHaveLength(5);
    await comeBack();
    await drained();
    expect((await published(60)).map(({ event }) => untyped(event.data.object).id)).toEqual(
      Array.from({ length: 60 }, (_, at) => `p${at}`),
    );
  });

  test('cut again and again in the middle of publishing: every event once, in order', async () => {
    start();
    await eventually(() => expect(bus.connected).toBe(true));
    let cuts = 0;
    proxy.onSent = (bytes) => {
      if (cuts < 8 && bytes.includes('.event.') && Math.random() < 0.3) {
        cuts++;
        proxy.cut();
      }
    };
    for (let at = 0; at < 20; at++) await emit(PRODUCTION, ...numbered(at * 100, 100));
    await drained();
    proxy.onSent = null;
    expect((await published(2_000)).map(({ event }) => untyped(event.data.object).id)).toEqual(
      Array.from({ length: 2_000 }, (_, at) => `p${at}`),
    );
  });
});
