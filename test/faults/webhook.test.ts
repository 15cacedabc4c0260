// Crashes processes in a storm of events: committed events are delivered, each with the same bytes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '#test/services/webhook/receiver.ts';
import { eventually, freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';
import { type Cluster, startCluster } from './cluster.ts';

const EVENTS = 60;
const RESTART_MS = 60_000;

let home: string;
let database: TestDatabase;
let cluster: Cluster;
let receiver: Receiver;
beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  home = await mkdtemp(join(tmpdir(), 'stoa-webhook-'));
  database = await freshDatabase();
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  receiver = await startReceiver();
}, 3 * RESTART_MS);
afterAll(async () => {
  await cluster.stop();
  await receiver.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

test('kill -9 of host and edge loses no event', { timeout: 4 * RESTART_MS }, async () => {
  const keys: Keys = await cluster.createStore();
  const [host, edge] = [cluster.hosts[0]!, cluster.edges[0]!];
  const send = (method: string, path: string, body?: unknown) =>
    sendTo(edge.address, method, path, { key: keys.secret_test_key, ...(body === undefined ? {} : { body }) });
  const url = `${receiver.url}/hook`;
  const made = await send('POST', '/v1/webhook-endpoints', { url, events: ['collection.created'] });
  expect(made.status, made.text).toBe(201);
  // The process that dies has attempts under way.
  receiver.answer((_request, response) => setTimeout(() => response.end(), 30));

  const acknowledged: string[] = [];
  const write = async (at: number): Promise<void> => {
    const reply = await send('POST', '/v1/product-collections', { name: `Storm ${at}` }).catch(() => null);
    if (reply?.status === 201) acknowledged.push(reply.body.collection.id);
  };
  const deaths = new Map([
    [20, host],
    [40, edge],
  ]);
  let restarted = Promise.resolve();
  for (let at = 0; at < EVENTS; at += 5) {
    const storm = Array.from({ length: 5 }, (_, n) => write(at + n));
    const victim = deaths.get(at);
    if (victim) {
      await storm[0];
      await victim.kill();
      restarted = victim.start();
    }
    await Promise.all(storm);
    await restarted;
  }
  expect(acknowledged.length).toBeGreaterThan(EVENTS / 3);

  // Attempts of the dead are lost; a minute later others take them over.
  await eventually(
    async () => expect((await send('POST', '/v1/sandbox/time-travel', { advance_seconds: 60 })).status).toBe(200),
    RESTART_MS,
  );
  await eventually(async () => {
    const { body } = await send('GET', '/v1/webhook-events?type=collection.created&limit=100');
    const events: { id: string; data: { object: { id: string } }; deliveries: { status: string }[] }[] =
      body.webhook_events;
    const ids = events.map(({ data }) => data.object.id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(ids).size).toBe(ids.length);
    expect(events.flatMap(({ deliveries }) => deliveries.map(({ status }) => status))).toEqual(
      events.map(() => 'delivered'),
    );
    expect(new Set(receiver.received.map(({ event }) => event.id))).toEqual(new Set(events.map(({ id }) => id)));
  }, RESTART_MS);
  const bodies = Map.groupBy(receiver.received, ({ event }) => event.id);
  for (const sent of bodies.values()) expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
});
