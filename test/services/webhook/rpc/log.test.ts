// The log of events over HTTP: paged, filtered, followed, retried and replayed; no store sees another's.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok, type Receiver, startReceiver } from '#test/services/webhook/receiver.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let receiver: Receiver;
beforeAll(async () => {
  stoa = await sharedStoa();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
});

const happen = async ({ secret_test_key: key }: Keys, name: string) => {
  const { body } = await stoa.send('POST', '/v1/product-collections', { key, body: { name } });
  return body.collection;
};

const read = (keys: Keys, query = '') => stoa.send('GET', `/v1/webhook-events${query}`, { key: keys.secret_test_key });

/** An event is published once no older transaction runs, and other tests on this server run theirs. */
const OTHERS_MS = 60_000;

const named = (events: readonly { data: { object: { name: string } } }[]): string[] =>
  events.map(({ data }) => data.object.name);

/** A store in whose sandbox `count` collections were made: they stand in its log, and were told to those who followed it. */
const storeOf = async (count: number): Promise<Keys> => {
  const keys = await stoa.createStore();
  const { position } = (await read(keys, '?follow=now')).body;
  for (let at = 0; at < count; at++) await happen(keys, `C${at}`);
  await eventually(async () => {
    expect((await read(keys, '?limit=100')).body.webhook_events).toHaveLength(count);
    expect((await read(keys, `?limit=100&follow=${position}`)).body.webhook_events).toHaveLength(count);
  }, OTHERS_MS);
  return keys;
};

describe('the log', () => {
  test('lists each event once, newest first, whether or not an endpoint subscribes', async () => {
    const keys = await storeOf(5);
    const { body } = await read(keys);
    expect(named(body.webhook_events)).toEqual(['C4', 'C3', 'C2', 'C1', 'C0']);
    expect(body.pagination).toEqual({ limit: 20, has_more: false, next_cursor: null });
    expect(body.webhook_events[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'collection.created',
      created_at: expect.any(String),
      store_id: keys.store_id,
      api_version: 'v1',
      data: { object: expect.objectContaining({ name: 'C4' }) },
      sequence: expect.any(Number),
      deliveries: [],
    });
    const one = await stoa.send('GET', `/v1/webhook-events/${body.webhook_events[2].id}`, {
      key: keys.secret_test_key,
    });
    expect(one.body.webhook_event).toEqual(body.webhook_events[2]);
    const cut = await stoa.send('GET', `/v1/webhook-events/${body.webhook_events[2].id}?fields=type,data.object.name`, {
      key: keys.secret_test_key,
    });
    expect(cut.body.webhook_event).toEqual({ type: 'collection.created', data: { object: { name: 'C2' } } });
  });

  test('pages events, each once, while the log grows', async () => {
    const keys = await storeOf(5);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: Awaited<ReturnType<typeof read>> = await read(
        keys,
        `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...named(body.webhook_events));
      cursor = body.pagination.next_cursor;
      expect(body.pagination.has_more).toBe(cursor !== null);
      await happen(keys, 'later');
    }
    expect(found).toEqual(['C4', 'C3', 'C2', 'C1', 'C0']);
  });

  test('filters by type, and refuses the cursor elsewhere', async () => {
    const keys = await storeOf(3);
    const { id } = await happen(keys, 'Spring');
    await stoa.send('PATCH', `/v1/product-collections/${id}`, { key: keys.secret_test_key, body: { name: 'Summer' } });
    await eventually(async () =>
      expect(named((await read(keys, '?type=collection.updated')).body.webhook_events)).toEqual(['Summer']),
    );
    const { body } = await read(keys, '?limit=1');
    const { next_cursor: cursor } = body.pagination;
    const others = await stoa.createStore();
    for (const [query, as] of [
      [`?type=collection.created&cursor=${cursor}`, keys.secret_test_key],
      [`?cursor=${cursor}`, keys.secret_key],
      [`?cursor=${cursor}`, others.secret_test_key],
      [`?cursor=${cursor.slice(1)}`, keys.secret_test_key],
      [`?cursor=${Buffer.from('2026-01-01T00:00:00Z').toString('base64')}`, keys.secret_test_key],
      ['?cursor=%00', keys.secret_test_key],
      ['?follow=yesterday', keys.secret_test_key],
      [`?follow=now&cursor=${cursor}`, keys.secret_test_key],
      ['?limit=0', keys.secret_test_key],
      ['?limit=101', keys.secret_test_key],
      // "an unknown or malformed query value is 400"
      ['?type=collection.renamed', keys.secret_test_key],
      ['?type=*', keys.secret_test_key],
      ['?follow=now&type=', keys.secret_test_key],
    ] as const) {
      const refused = await stoa.send('GET', `/v1/webhook-events${query}`, { key: as });
      expect([refused.status, refused.body.error.code], query).toEqual([400, 'invalid_request']);
    }
  });

  test('answers not_found for events of another tenant', async () => {
    const keys = await storeOf(1);
    const [{ id }] = (await read(keys)).body.webhook_events;
    const others = await stoa.createStore();
    for (const key of [others.secret_test_key, keys.secret_key])
      for (const [method, path] of [
        ['GET', `/v1/webhook-events/${id}`],
        ['POST', `/v1/webhook-events/${id}/retry`],
      ] as const) {
        const { status, body } = await stoa.send(method, path, { key });
        expect([status, body.error.message]).toEqual([404, 'No such event.']);
      }
    const replay = await stoa.send('POST', '/v1/sandbox/webhooks/replay', {
      key: others.secret_test_key,
      body: { event_id: id },
    });
    expect([replay.status, replay.body.error.param]).toEqual([404, 'event_id']);
  });

  test('follows new and replayed events in order', { timeout: 2 * OTHERS_MS }, async () => {
    const keys = await storeOf(2);
    const start = await read(keys, '?follow=now');
    expect(start.body.webhook_events.every((event: unknown) => event === null)).toBe(true);
    let { position } = start.body;
    const received: string[] = [];
    const hear = async (until: number) => {
      await eventually(async () => {
        const { body } = await read(keys, `?follow=${position}`);
        received.push(...named(body.webhook_events));
        position = body.position;
        expect(received).toHaveLength(until);
      }, OTHERS_MS);
    };
    await happen(keys, 'C2');
    await hear(1);
    await happen(keys, 'C3');
    await happen(keys, 'C4');
    await hear(3);
    const [, , , , { id }] = (await read(keys)).body.webhook_events;
    await stoa.send('POST', '/v1/sandbox/webhooks/replay', { key: keys.secret_test_key, body: { event_id: id } });
    await hear(4);
    await stoa.send('POST', `/v1/webhook-events/${id}/retry`, { key: keys.secret_test_key });
    await hear(5);
    expect(received).toEqual(['C2', 'C3', 'C4', 'C0', 'C0']);
  });

  test('repeats no event published before the follower started, even beside an older transaction', {
    timeout: 2 * OTHERS_MS,
  }, async () => {
    const keys = await storeOf(0);
    let over = false;
    let started = (): void => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const older = stoa.services.runtime.postgres.transaction(async ({ sql }) => {
      await sql`select pg_current_xact_id()`;
      started();
      // One that stands idle is ended by the server.
      while (!over) await sql`select pg_sleep(0.05)`;
    });
    await running;
    await happen(keys, 'Before');
    await eventually(async () => expect(named((await read(keys)).body.webhook_events)).toEqual(['Before']));
    let { position } = (await read(keys, '?follow=now')).body;
    await happen(keys, 'After');
    over = true;
    await older;
    const received: string[] = [];
    await eventually(async () => {
      const { body } = await read(keys, `?follow=${position}`);
      received.push(...named(body.webhook_events));
      position = body.position;
      expect(received).not.toEqual([]);
    }, OTHERS_MS);
    expect(received).toEqual(['After']);
  });

  test('waits for an event with its followers', { timeout: 2 * OTHERS_MS }, async () => {
    const keys = await storeOf(0);
    const { position } = (await read(keys, '?follow=now')).body;
    const wait = () => read(keys, `?follow=${position}&wait_seconds=8`);
    const waiting = wait();
    await happen(keys, 'Awaited');
    const first = named((await waiting).body.webhook_events);
    await eventually(async () => {
      const received = first.length > 0 ? first : named((await wait()).body.webhook_events);
      expect(received).toEqual(['Awaited']);
    }, OTHERS_MS);
  });
});

describe('a replay', () => {
  test('sends an event again with the same id and bytes to current subscribers', async () => {
    const keys = await storeOf(1);
    const [{ id }] = (await read(keys)).body.webhook_events;
    const replay = () =>
      stoa.send('POST', '/v1/sandbox/webhooks/replay', { key: keys.secret_test_key, body: { event_id: id } });
    expect((await replay()).body).toEqual({ replayed: 0 });
    for (const path of ['/one', '/two'])
      await stoa.send('POST', '/v1/webhook-endpoints', {
        key: keys.secret_test_key,
        body: { url: receiver.url + path, events: ['collection.created'] },
      });
    receiver.answer(ok);
    const mine = () => receiver.received.filter(({ event }) => event.id === id);
    expect((await replay()).body).toEqual({ replayed: 2 });
    await eventually(() => expect(mine()).toHaveLength(2));
    await eventually(async () => {
      const [event] = (await read(keys)).body.webhook_events;
      expect(event.deliveries.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'delivered']);
    });
    expect((await replay()).body).toEqual({ replayed: 2 });
    await eventually(() => expect(mine()).toHaveLength(4));
    expect(new Set(mine().map(({ body }) => body)).size).toBe(1);
    expect(mine().filter(({ path }) => path === '/two')).toHaveLength(2);
  });

  test('refuses a replay in production', async () => {
    const keys = await stoa.createStore();
    const live = await stoa.send('POST', '/v1/sandbox/webhooks/replay', {
      key: keys.secret_key,
      body: { event_id: 'evt_1_x' },
    });
    expect([live.status, live.body.error.code, typeof live.body.error.hint]).toEqual([403, 'forbidden', 'string']);
  });
});
