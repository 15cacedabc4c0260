// A jump of a sandbox's clock has all deliveries made that fall due within it, chained retries too, each at its moment.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RETRY_DELAYS_MS } from '#runtime/outbound/outbound.ts';
import { registry } from '#runtime/process/metric.ts';
import { failing, ok, startReceiver } from '#test/services/webhook/receiver.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa({ allowLocal: true });
});
afterAll(() => stoa?.stop());

const send = (keys: Keys, method: string, path: string, body?: unknown) =>
  stoa.send(method, path, { key: keys.secret_test_key, ...(body === undefined ? {} : { body }) });

const listen = (keys: Keys, url: string) =>
  send(keys, 'POST', '/v1/webhook-endpoints', { url, events: ['collection.created', 'promotion.deactivated'] });

const logOf = async (keys: Keys, type: string) =>
  (await send(keys, 'GET', `/v1/webhook-events?type=${type}`)).body.webhook_events;

const travel = async (keys: Keys, seconds: number) => {
  const { status, body, text } = await send(keys, 'POST', '/v1/sandbox/time-travel', { advance_seconds: seconds });
  expect(status, text).toBe(200);
  return body;
};

const deadLetters = async (): Promise<number> =>
  Number(/^stoa_webhook_dead_letters_total (\d+)$/m.exec(await registry.metrics())?.[1]);

test('makes all scheduled retries in one long clock advance, without jitter', async () => {
  const keys = await stoa.createStore();
  const [failed, well] = [await startReceiver(), await startReceiver()];
  failed.answer(failing(503));
  await listen(keys, failed.url);
  await listen(keys, well.url);
  await send(keys, 'POST', '/v1/product-collections', { name: 'Spring' });
  await eventually(async () => {
    const [event] = await logOf(keys, 'collection.created');
    expect(event.deliveries.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1]);
  });
  const before = await deadLetters();
  const { fired } = await travel(keys, 90 * 3_600);
  // The counter covers the whole process, so other systems may add to it.
  expect((await deadLetters()) - before).toBeGreaterThanOrEqual(1);
  expect(fired).toContainEqual({ type: 'webhook.delivery', count: 7 });
  const [event] = await logOf(keys, 'collection.created');
  const delivery = event.deliveries.find(({ status }: { status: string }) => status !== 'delivered');
  expect(delivery).toMatchObject({ status: 'dead_lettered', attempts: 8, response_status: 503, next_attempt_at: null });
  const times = delivery.attempt_log.map(({ attempted_at: at }: { attempted_at: string }) => Date.parse(at));
  expect(times.slice(1).map((time: number, at: number) => time - times[at]!)).toEqual(RETRY_DELAYS_MS);
  expect([failed.received.length, well.received.length]).toEqual([8, 1]);
  expect(new Set(failed.received.map(({ body }) => body)).size).toBe(1);
  await failed.close();
  await well.close();
});

test('delivers events of a clock advance within it, in order of time', async () => {
  const keys = await stoa.createStore();
  const receiver = await startReceiver();
  await listen(keys, receiver.url);
  const from = Date.parse((await travel(keys, 60)).now);
  for (const [name, hours] of [
    ['third', 3],
    ['first', 1],
    ['second', 2],
  ] as const) {
    const made = await send(keys, 'POST', '/v1/promotions', {
      name,
      type: 'percentage',
      value: 10,
      status: 'active',
      ends_at: new Date(from + hours * 3_600_000).toISOString(),
    });
    expect(made.status, made.text).toBe(201);
  }
  receiver.answer((request, response, received) =>
    received.event.data.object.name === 'first' && receiver.received.length < 3
      ? failing(500)(request, response, received)
      : ok(request, response, received),
  );
  await travel(keys, 4 * 3_600);
  expect(receiver.received.map(({ event }) => event.data.object.name)).toEqual([
    'first',
    'first',
    'first',
    'second',
    'third',
  ]);
  const events = await logOf(keys, 'promotion.deactivated');
  expect(events.map(({ deliveries }: { deliveries: { status: string }[] }) => deliveries[0]!.status)).toEqual([
    'delivered',
    'delivered',
    'delivered',
  ]);
  const [, , first] = events;
  const times = first.deliveries[0].attempt_log.map(({ attempted_at: at }: { attempted_at: string }) => Date.parse(at));
  const began = Date.parse(first.created_at);
  expect(times).toEqual([began, began + 60_000, began + 360_000]);
  await receiver.close();
});

test('counts an attempt that throws as failed, continues the advance and delivers to others', async () => {
  const keys = await stoa.createStore();
  const [broken, well] = [await startReceiver(), await startReceiver()];
  const { webhook_endpoint: endpoint } = (await listen(keys, broken.url)).body;
  await listen(keys, well.url);
  const { now } = await travel(keys, 60);
  const made = await send(keys, 'POST', '/v1/promotions', {
    name: 'Spring',
    type: 'percentage',
    value: 10,
    status: 'active',
    ends_at: new Date(Date.parse(now) + 3_600_000).toISOString(),
  });
  expect(made.status, made.text).toBe(201);
  // A secret that does not open: nothing can be signed.
  const { sql } = stoa.services.runtime.postgres;
  await sql`update webhook.endpoint set secret = ${Buffer.from('torn')} where id = ${endpoint.id}`;
  const { fired } = await travel(keys, 2 * 3_600);
  expect(fired).toContainEqual({ type: 'promotion.deactivated', count: 1 });
  const [event] = await logOf(keys, 'promotion.deactivated');
  const outcomes = event.deliveries.map(({ status, attempts }: { status: string; attempts: number }) => [
    status,
    attempts > 1,
  ]);
  expect(outcomes.sort()).toEqual([
    ['delivered', false],
    ['retrying', true],
  ]);
  expect([broken.received.length, well.received.length]).toEqual([0, 1]);
  await broken.close();
  await well.close();
});
