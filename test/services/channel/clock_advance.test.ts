// Tests channels while a sandbox's clock is moved: changes and retries at their scheduled moments, and a sandbox reset.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { RETRY_DELAYS_MS } from '#runtime/outbound/outbound.ts';
import { accepting, type Channel, startChannel } from '#test/services/channel/receiver.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
const channels: Channel[] = [];
beforeAll(async () => {
  stoa = await sharedStoa();
});
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
});

const openShop = async () => {
  const keys: Keys = await stoa.createStore({ plan: 'enterprise' });
  const send = async (method: string, path: string, body?: object) => {
    const reply = await stoa.send(method, path, { key: keys.secret_test_key, ...(body && { body }) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const channel = await startChannel();
  channels.push(channel);
  const connect = async (): Promise<string> =>
    (await send('POST', '/v1/channels', { provider: 'c', name: 'C', url: channel.url, format: 'stoa' })).channel.id;
  const read = async (id: string) => (await send('GET', `/v1/channels/${id}`)).channel;
  const travel = async (seconds: number) => send('POST', '/v1/sandbox/time-travel', { advance_seconds: seconds });
  const becomes = (id: string, status: string) =>
    eventually(async () => {
      const now = await read(id);
      expect([now.status, status === 'failing' || now.last_sync_at !== null]).toEqual([status, true]);
    });
  return { channel, connect, read, travel, becomes, send };
};

test('one long jump runs the whole retry schedule of webhooks', async () => {
  const { channel, connect, read, travel, becomes, send } = await openShop();
  await send('POST', '/v1/products', { name: 'Lamp', price: 10, stock: 3 });
  channel.answer = () => ({ status: 503 });
  const id = await connect();
  await becomes(id, 'failing');
  expect(channel.pushes).toHaveLength(1);
  const { fired } = await travel(90 * 3_600);
  // The eighth attempt comes 48 hours after the seventh failure; the ninth is beyond the jump.
  expect(fired).toContainEqual({ type: 'channel.sync', count: RETRY_DELAYS_MS.length });
  expect(channel.pushes).toHaveLength(1 + RETRY_DELAYS_MS.length);
  expect(new Set(channel.pushes.map(({ body }) => body)).size).toBe(1);
  expect(await read(id)).toMatchObject({
    status: 'failing',
    last_error: 'The channel responded with status 503.',
    last_sync_at: null,
  });
});

test('a retry that succeeds in a jump completes before the response, dated when it was due', async () => {
  const { channel, connect, read, travel, becomes, send } = await openShop();
  await send('POST', '/v1/products', { name: 'Lamp', price: 10, stock: 3 });
  channel.answer = (push) => (channel.pushes.length < 3 ? { status: 503 } : accepting()(push));
  const id = await connect();
  await becomes(id, 'failing');
  const from = Date.parse((await read(id)).created_at);
  const { now } = await travel(3_600);
  expect(channel.pushes).toHaveLength(3);
  const after = await read(id);
  expect(after).toMatchObject({ status: 'connected', last_error: null, items_pushed: 1 });
  // One minute after the first failure and five after the second, not at the end of the jump.
  const tookMs = Date.parse(after.last_sync_at) - from;
  expect(tookMs).toBeGreaterThanOrEqual(6 * 60_000);
  expect(tookMs).toBeLessThan(30 * 60_000);
  expect(Date.parse(now)).toBeGreaterThan(Date.parse(after.last_sync_at));
  const { webhook_events } = await send('GET', '/v1/webhook-events?type=channel.sync.completed');
  expect(webhook_events.map(({ created_at }: { created_at: string }) => created_at)).toEqual([after.last_sync_at]);
});

test('a jump sends products that the clock changes, and no others', async () => {
  const { channel, connect, travel, becomes, send } = await openShop();
  const lamp = await send('POST', '/v1/products', { name: 'Lamp', price: 10, stock: 3 });
  await send('POST', '/v1/products', { name: 'Chair', price: 10, stock: 3 });
  const id = await connect();
  await becomes(id, 'connected');
  const before = channel.pushes.length;
  expect((await travel(3_600)).fired).not.toContainEqual(expect.objectContaining({ type: 'channel.sync' }));
  expect(channel.pushes).toHaveLength(before);
  const hence = (seconds: number) => new Date(Date.now() + 3_600_000 + seconds * 1_000).toISOString();
  const prices = [{ variant_id: lamp.variant_id, price: 7 }];
  await send('POST', '/v1/price-lists', { name: 'A sale', starts_at: hence(600), ends_at: hence(1_200), prices });
  const { fired } = await travel(900);
  expect(fired).toContainEqual({ type: 'channel.sync', count: 1 });
  expect(channel.received.get(lamp.id)).toMatchObject({ selling_price: 7 });
  await travel(900);
  expect(channel.received.get(lamp.id)).toMatchObject({ selling_price: 10 });
  // Changes made just before the jump are sent, too.
  await send('PATCH', `/v1/products/${lamp.id}`, { price: 12 });
  await travel(60);
  expect(channel.received.get(lamp.id)).toMatchObject({ selling_price: 12 });
  expect(channel.pushes.at(-1)!.lines).toHaveLength(1);
});

test('a channel held by another worker during a jump still receives the changes', async () => {
  const { channel, connect, travel, becomes, send } = await openShop();
  const lamp = await send('POST', '/v1/products', { name: 'Lamp', price: 10, stock: 3 });
  const ids = [await connect(), await connect()];
  for (const id of ids) await becomes(id, 'connected');
  await travel(3_600);
  const { sql } = stoa.services.runtime.postgres;
  const worker = crypto.randomUUID();
  let taken: string | undefined;
  const before = channel.pushes.length;
  channel.answer = (push) => {
    if (taken === undefined) {
      taken = ids.find((id) => id !== push.headers['x-svc-channel-id'])!;
      const until = new Date(Date.now() + 60_000);
      void sql`update channel.channel set worker = ${worker}, leased_until = ${until} where id = ${taken}`
        .then(() => Bun.sleep(400))
        .then(() => sql`update channel.channel set worker = null, leased_until = null where id = ${taken!}`);
    }
    // Waits until the other attempt has started.
    return { ...accepting()(push), hangMs: 100 };
  };
  const starts_at = new Date(Date.now() + 3_600_000 + 600_000).toISOString();
  await send('POST', '/v1/price-lists', {
    name: 'A sale',
    starts_at,
    prices: [{ variant_id: lamp.variant_id, price: 7 }],
  });
  const { fired } = await travel(900);
  expect(fired).toContainEqual({ type: 'channel.sync', count: 2 });
  expect(channel.pushes.slice(before).map(({ headers }) => headers['x-svc-channel-id'])).toContain(taken);
});

test('a paused channel receives nothing during a jump', async () => {
  const { channel, connect, travel, becomes, send } = await openShop();
  await send('POST', '/v1/products', { name: 'Lamp', price: 10, stock: 3 });
  channel.answer = () => ({ status: 503 });
  const id = await connect();
  await becomes(id, 'failing');
  await send('PATCH', `/v1/channels/${id}`, { status: 'paused' });
  await travel(90 * 3_600);
  expect(channel.pushes).toHaveLength(1);
});

test('a hanging channel delays a jump by one full attempt, then by short ones', async () => {
  const { channel, connect, travel, becomes, send } = await openShop();
  await send('POST', '/v1/products', { name: 'Lamp', price: 10, stock: 3 });
  channel.answer = () => ({ status: 503 });
  const id = await connect();
  await becomes(id, 'failing');
  channel.answer = () => ({ hangMs: 60_000 });
  const { fired } = await travel(90 * 3_600);
  expect(fired).toContainEqual({ type: 'channel.sync', count: RETRY_DELAYS_MS.length });
});

test('a sandbox reset during a push has no channel, result or event of it', async () => {
  for (let round = 0; round < 5; round++) {
    const { channel, connect, send } = await openShop();
    for (let at = 0; at < 20; at++) await send('POST', '/v1/products', { name: `Lamp ${at}`, price: 10, stock: 3 });
    // The response arrives around the time the sandbox is cleared.
    channel.answer = (push) => ({ ...accepting()(push), hangMs: 40 * round });
    await connect();
    await eventually(() => expect(channel.pushes).toHaveLength(1));
    await send('POST', '/v1/sandbox/reset', {});
    await Bun.sleep(300);
    expect((await send('GET', '/v1/channels')).channels).toEqual([]);
    expect((await send('GET', '/v1/webhook-events')).webhook_events).toEqual([]);
    const { sql } = stoa.services.runtime.postgres;
    const [rows] = await sql`select count(*)::integer as count from channel.item`;
    expect(rows!.count).toBe(await left());
  }
  /** Channels of other tests' stores. */
  async function left(): Promise<number> {
    const [rows] = await stoa.services.runtime.postgres.sql`
      select count(*)::integer as count from channel.item as i
      join channel.channel as c on (c.store, c.environment, c.id) = (i.store, i.environment, i.channel)`;
    return rows!.count as number;
  }
});
