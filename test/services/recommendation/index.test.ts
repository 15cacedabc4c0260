// Availability of recommendations over time: a clock advance fires what expires within it.
import { beforeAll, expect, test } from 'vitest';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const must = async (method: string, path: string, body?: unknown) => {
  const reply = await stoa.send(method, path, { key: keys.secret_test_key, body });
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
};

const travel = (days: number) => must('POST', '/v1/sandbox/time-travel', { advance_seconds: days * DAY_S });

const meet = async (products: readonly string[], name: string): Promise<void> => {
  for (let n = 0; n < 5; n++)
    for (const product_id of products)
      await must('POST', '/v1/events', { event_type: 'view', product_id, session_id: `${name} ${n}` });
};

const statusOf = async (): Promise<string> => {
  const { features } = await must('GET', '/v1/features');
  return features.find(({ feature }: { feature: string }) => feature === 'recommendations').status;
};

/** Status changes of recommendations in the webhook log, newest first. */
const changes = async (): Promise<{ at: number; status: string }[]> => {
  const { webhook_events } = await must('GET', '/v1/webhook-events?limit=100');
  const found: { at: number; status: string }[] = [];
  for (const { id, type } of webhook_events) {
    if (type !== 'feature.status_changed') continue;
    const { webhook_event: event } = await must('GET', `/v1/webhook-events/${id}`);
    const { feature, status } = event.data.object;
    if (feature === 'recommendations') found.push({ at: Date.parse(event.created_at), status });
  }
  return found;
};

test('a clock advance past the ninetieth day of the proving pair emits feature.status_changed at that time', async () => {
  const products: string[] = [];
  for (const name of ['Kettle', 'Cup', 'Lamp', 'Bulb'])
    products.push((await must('POST', '/v1/products', { name, price: 5, stock: 5 })).id);
  await meet(products.slice(0, 2), 'first');
  // Advances at once: interactions still pending count from before it.
  const first = await travel(10);
  expect(first.fired).toEqual([]);
  expect(await statusOf()).toBe('available');
  await meet(products.slice(2), 'second');
  // The first pair expires on the way; the second still proves availability.
  const second = await travel(85);
  expect(second.fired).toEqual([]);
  expect(await statusOf()).toBe('available');
  expect((await travel(10)).fired).toEqual([{ type: 'feature.status_changed', count: 1 }]);
  expect(await statusOf()).toBe('awaiting_data');
  const [lost, arrived, ...more] = await changes();
  expect(more).toEqual([]);
  expect([lost?.status, arrived?.status]).toEqual(['awaiting_data', 'available']);
  // The second pair was recorded between the advances.
  expect(lost!.at).toBeGreaterThanOrEqual(Date.parse(first.now) + 90 * DAY_MS);
  expect(lost!.at).toBeLessThanOrEqual(Date.parse(second.now) + (90 - 85) * DAY_MS);
  expect((await travel(200)).fired).toEqual([]);
});
