// Deliveries on the wire: signed as specified, tried again on schedule, given up in the end, and none held up by another.
import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RETRY_DELAYS_MS } from '#runtime/outbound/outbound.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { failing, ok, type Receiver, startReceiver } from '#test/services/webhook/receiver.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let clock: ManualClock;
const receivers: Receiver[] = [];
/** The addresses that names resolve to at the moment. */
const names = new Map<string, readonly string[]>();
beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock, resolve: async (host) => names.get(host) ?? [] });
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
afterAll(async () => {
  await stoa.stop();
});

const receive = async (): Promise<Receiver> => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
};

const listen = async (keys: Keys, url: string, events: readonly string[] = ['*']) => {
  const { body, status, text } = await stoa.send('POST', '/v1/webhook-endpoints', {
    key: keys.secret_test_key,
    body: { url, events },
  });
  expect(status, text).toBe(201);
  return body.webhook_endpoint as { id: string; signing_secret: string };
};

/** Something happens: a category makes no event, a collection does. */
const happen = async (keys: Keys, name = 'Spring') => {
  const { status, body } = await stoa.send('POST', '/v1/product-collections', {
    key: keys.secret_test_key,
    body: { name },
  });
  expect(status).toBe(201);
  return body.collection;
};

const log = async (keys: Keys) =>
  (await stoa.send('GET', '/v1/webhook-events', { key: keys.secret_test_key })).body.webhook_events;

/** Waits until the first event's deliveries have the expected states. */
const settled = (keys: Keys, deliveries: unknown) =>
  eventually(async () => {
    const [event] = await log(keys);
    expect(event?.deliveries).toEqual(deliveries);
    return event;
  });

const delivery = (status: string, attempts: number, response: number | null) =>
  expect.objectContaining({ status, attempts, response_status: response });

describe('an event', () => {
  test('arrives as it was committed, signed in both ways', async () => {
    const keys = await stoa.createStore();
    const receiver = await receive();
    const { id: endpoint, signing_secret: secret } = await listen(keys, `${receiver.url}/hook?shop=1`);
    const collection = await happen(keys);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const { headers, body, path, event } = receiver.received[0]!;
    expect(path).toBe('/hook?shop=1');
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_\d{13}_[0-9a-f]{16}$/),
      type: 'collection.created',
      created_at: collection.created_at,
      store_id: keys.store_id,
      api_version: 'v1',
      data: { object: collection },
      sequence: expect.any(Number),
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-svc-signature']!)!;
    expect(Number(t)).toBe(Math.floor(clock.real() / 1_000));
    expect(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')).toBe(v1);
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    expect(() => new Webhook(secret).verify(body.replace('Spring', 'Autumn'), headers)).toThrow();
    const logged = await settled(keys, [
      {
        endpoint_id: endpoint,
        status: 'delivered',
        attempts: 1,
        response_status: 200,
        next_attempt_at: null,
        attempt_log: [
          { attempted_at: expect.any(String), response_status: 200, error: null, duration_ms: expect.any(Number) },
        ],
      },
    ]);
    const { deliveries: _, ...envelope } = logged;
    expect(JSON.stringify(envelope)).toBe(body);
  });

  test('goes to enabled endpoints of its type, environment and store only', async () => {
    const [keys, others] = [await stoa.createStore(), await stoa.createStore()];
    const receiver = await receive();
    await listen(keys, `${receiver.url}/all`);
    await listen(keys, `${receiver.url}/type`, ['order.paid', 'collection.created']);
    await listen(keys, `${receiver.url}/other-type`, ['order.paid']);
    await listen(others, `${receiver.url}/other-store`);
    const off = await listen(keys, `${receiver.url}/off`);
    await stoa.send('PATCH', `/v1/webhook-endpoints/${off.id}`, {
      key: keys.secret_test_key,
      body: { enabled: false },
    });
    await stoa.send('POST', '/v1/product-collections', { key: keys.secret_key, body: { name: 'Production' } });
    await happen(keys);
    await settled(keys, [delivery('delivered', 1, 200), delivery('delivered', 1, 200)]);
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/all', '/type']);
    const live = await stoa.send('GET', '/v1/webhook-events', { key: keys.secret_key });
    expect(
      live.body.webhook_events.map((event: { data: { object: { name: string } } }) => event.data.object.name),
    ).toEqual(['Production']);
    expect(await log(others)).toEqual([]);
  });

  test('reaches the first endpoint of a store at once, among many stores without one', async () => {
    const receiver = await receive();
    const stores = await Promise.all(Array.from({ length: 12 }, () => stoa.createStore()));
    const listening = stores.filter((_, at) => at % 2 === 0);
    await Promise.all(
      stores.map(async (keys, at) => {
        await happen(keys, 'Before');
        if (at % 2 === 0) await listen(keys, `${receiver.url}/${keys.store_id}`);
        await happen(keys, 'After');
      }),
    );
    await eventually(() => {
      const received = receiver.received.filter(({ event }) => event.data.object.name === 'After');
      expect(received.map(({ path }) => path).sort()).toEqual(listening.map(({ store_id }) => `/${store_id}`).sort());
    });
  });

  test('delivers events with a sequence and a time that give their order', async () => {
    const keys = await stoa.createStore();
    const receiver = await receive();
    await listen(keys, receiver.url);
    const { id } = await happen(keys);
    for (const name of ['Summer', 'Autumn'])
      await stoa.send('PATCH', `/v1/product-collections/${id}`, { key: keys.secret_test_key, body: { name } });
    await eventually(() => expect(receiver.received).toHaveLength(3));
    const received = receiver.received.map(({ event }) => event).sort((a, b) => a.sequence - b.sequence);
    expect(received.map(({ data }) => data.object.name)).toEqual(['Spring', 'Summer', 'Autumn']);
    expect(received.map(({ previous_attributes: previous }) => previous?.name)).toEqual([
      undefined,
      'Spring',
      'Summer',
    ]);
  });
});

describe('a delivery that fails', () => {
  test('retries after 1 m, 5 m, 30 m, 2 h, 8 h, 24 h and 48 h, then gives up', {
    timeout: 120_000,
  }, async () => {
    const keys = await stoa.createStore();
    const receiver = await receive();
    receiver.answer(failing(500));
    const { id } = await listen(keys, receiver.url);
    await happen(keys);
    for (const [at, delay] of RETRY_DELAYS_MS.entries()) {
      const event = await settled(keys, [delivery('retrying', at + 1, 500)]);
      const [{ next_attempt_at: next, attempt_log: attempts }] = event.deliveries;
      expect(Date.parse(next) - Date.parse(attempts.at(-1).attempted_at)).toBe(delay);
      clock.advance(delay);
    }
    const last = await settled(keys, [delivery('dead_lettered', 8, 500)]);
    expect(last.deliveries[0].next_attempt_at).toBeNull();
    expect(last.deliveries[0].attempt_log).toHaveLength(8);
    expect(last.deliveries[0].attempt_log[0]).toMatchObject({
      response_status: 500,
      error: 'The endpoint answered with status 500.',
    });
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    const bodies = new Set(receiver.received.map(({ body }) => body));
    expect([receiver.received.length, ids.size, bodies.size]).toEqual([8, 1, 1]);
    const { body } = await stoa.send('GET', `/v1/webhook-endpoints/${id}`, { key: keys.secret_test_key });
    expect(body.webhook_endpoint.statistics).toEqual({ pending: 0, retrying: 0, delivered: 0, dead_lettered: 1 });

    receiver.answer(ok);
    const retried = await stoa.send('POST', `/v1/webhook-events/${last.id}/retry`, { key: keys.secret_test_key });
    expect([retried.status, retried.body.webhook_event.id]).toEqual([200, last.id]);
    await settled(keys, [delivery('delivered', 9, 200)]);
    // A delivered event stays unchanged.
    const again = await stoa.send('POST', `/v1/webhook-events/${last.id}/retry`, { key: keys.secret_test_key });
    expect(again.body.webhook_event.deliveries).toEqual([delivery('delivered', 9, 200)]);
    expect(receiver.received).toHaveLength(9);
  });

  test('gives up deliveries to a deleted endpoint', async () => {
    const keys = await stoa.createStore();
    const receiver = await receive();
    receiver.answer(failing(410));
    const { id } = await listen(keys, receiver.url);
    await happen(keys);
    await settled(keys, [delivery('retrying', 1, 410)]);
    await stoa.send('DELETE', `/v1/webhook-endpoints/${id}`, { key: keys.secret_test_key });
    await settled(keys, [delivery('dead_lettered', 1, 410)]);
  });

  test('waits while its endpoint is disabled', async () => {
    const keys = await stoa.createStore();
    const receiver = await receive();
    receiver.answer(failing(500));
    const { id } = await listen(keys, receiver.url);
    await happen(keys);
    await settled(keys, [delivery('retrying', 1, 500)]);
    const enable = (enabled: boolean) =>
      stoa.send('PATCH', `/v1/webhook-endpoints/${id}`, { key: keys.secret_test_key, body: { enabled } });
    await enable(false);
    clock.advance(RETRY_DELAYS_MS[0]!);
    // Another event of another store has gone all the way meanwhile.
    const [others, witness] = [await stoa.createStore(), await receive()];
    await listen(others, witness.url);
    await happen(others);
    await settled(others, [delivery('delivered', 1, 200)]);
    expect(receiver.received).toHaveLength(1);
    receiver.answer(ok);
    await enable(true);
    await settled(keys, [delivery('delivered', 2, 200)]);
  });
});

describe('a receiver', () => {
  test.each<[string, Parameters<Receiver['answer']>[0], string, number | null]>([
    ['that answers 204', (_, response) => response.writeHead(204).end(), 'delivered', 204],
    [
      'that redirects is not followed',
      (_, response) => response.writeHead(307, { location: '/else' }).end(),
      'retrying',
      307,
    ],
    ['that resets the connection has not answered', (request) => request.socket.resetAndDestroy(), 'retrying', null],
    [
      'that answers what is no HTTP has not answered',
      (request) => request.socket.end('hello\r\n\r\n'),
      'retrying',
      null,
    ],
    [
      'that answers 200 with a huge body has the event',
      (_, response) => response.writeHead(200).end(Buffer.alloc(20_000_000)),
      'delivered',
      200,
    ],
    [
      'that answers 200 and never ends has the event',
      (_, response) => {
        const more = setInterval(() => response.write('x'.repeat(600)), 5);
        response.on('close', () => clearInterval(more));
        response.writeHead(200);
      },
      'delivered',
      200,
    ],
    ['that answers 404 has not', failing(404), 'retrying', 404],
  ])('%s', async (_, answer, status, response) => {
    const keys = await stoa.createStore();
    const receiver = await receive();
    receiver.answer(answer);
    await listen(keys, receiver.url);
    await happen(keys);
    await settled(keys, [delivery(status, 1, response)]);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
  });

  test('reports no response of an unreachable receiver', async () => {
    const keys = await stoa.createStore();
    const receiver = await startReceiver();
    await listen(keys, receiver.url);
    await receiver.close();
    await happen(keys);
    const event = await settled(keys, [delivery('retrying', 1, null)]);
    expect(event.deliveries[0].attempt_log[0].error).toMatch(/connection failed/i);
  });

  test('delays no other receiver by one that never answers', async () => {
    const keys = await stoa.createStore();
    const [hanging, well] = [await receive(), await receive()];
    hanging.answer(() => {});
    await listen(keys, hanging.url);
    await listen(keys, well.url);
    for (let at = 0; at < 30; at++) await happen(keys, `Collection ${at}`);
    await eventually(() => expect(well.received).toHaveLength(30));
    const { body } = await stoa.send('GET', '/v1/webhook-events?limit=100', { key: keys.secret_test_key });
    expect(new Set(well.received.map(({ event }) => event.id))).toEqual(
      new Set(body.webhook_events.map(({ id }: { id: string }) => id)),
    );
    expect(hanging.received.length).toBeLessThan(30);
  });
});

describe('a name', () => {
  test('refuses a name that resolves to our own network, and the delivery says why', async () => {
    let connections = 0;
    const inward = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((listening) => inward.listen(0, '127.0.0.1', listening));
    const { port } = inward.address() as AddressInfo;
    const keys = await stoa.createStore();
    const key = keys.secret_key;
    const addresses = [
      '127.0.0.1',
      '10.0.0.7',
      '169.254.169.254',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      'fd00::1',
    ];
    const ids = new Map<string, string>();
    for (const [at, address] of addresses.entries()) {
      const host = `hooks-${at}.example.com`;
      // While the endpoint was made the name meant another host.
      names.set(host, ['93.184.215.14']);
      const made = await stoa.send('POST', '/v1/webhook-endpoints', {
        key,
        body: { url: `https://${host}:${port}/hook`, events: ['collection.created'] },
      });
      expect(made.status, made.text).toBe(201);
      ids.set(made.body.webhook_endpoint.id, address);
      names.set(host, [address]);
    }
    expect((await stoa.send('POST', '/v1/product-collections', { key, body: { name: 'Spring' } })).status).toBe(201);
    await eventually(async () => {
      const { body } = await stoa.send('GET', '/v1/webhook-events', { key });
      const deliveries: { endpoint_id: string; status: string; response_status: null; attempt_log: unknown[] }[] =
        body.webhook_events[0]?.deliveries;
      expect(deliveries).toHaveLength(addresses.length);
      for (const { endpoint_id: id, status, response_status: answered, attempt_log: attempts } of deliveries) {
        expect([status, answered], ids.get(id)).toEqual(['retrying', null]);
        expect(attempts).toMatchObject([{ error: 'The host has no public address.' }]);
      }
    });
    const [id] = ids.keys();
    const tested = await stoa.send('POST', `/v1/webhook-endpoints/${id}/test`, { key, body: {} });
    expect(tested.body).toEqual({ success: false, status_code: null });
    expect(connections).toBe(0);
    await new Promise((closed) => inward.close(closed));
  });
});
