// Crashes a process in the middle of a push: another one continues, nothing is lost, and at most the running batch is pushed
// twice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepting, type Channel, idOf, startChannel } from '#test/services/channel/receiver.ts';
import { eventually, freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { sendTo } from '#test/support/stoa.ts';
import { type Cluster, startCluster } from './cluster.ts';

const PRODUCTS = 2_300;
const BATCH = 1_000;
const RESTART_MS = 60_000;

let home: string;
let database: TestDatabase;
let cluster: Cluster;
let channel: Channel;
beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  home = await mkdtemp(join(tmpdir(), 'stoa-channel-'));
  database = await freshDatabase();
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  channel = await startChannel();
}, 3 * RESTART_MS);
afterAll(async () => {
  delete process.env.STOA_ALLOW_LOCAL_WEBHOOKS;
  await cluster.stop();
  channel.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

test('kill -9 in mid-push loses no product and tells at most one batch twice', {
  timeout: 5 * RESTART_MS,
}, async () => {
  const keys = await cluster.createStore();
  const [host, edge] = [cluster.hosts[0]!, cluster.edges[0]!];
  const send = (method: string, path: string, body?: unknown, more = {}) =>
    sendTo(edge.address, method, path, { key: keys.secret_test_key, body, ...more });
  const rows = Array.from({ length: PRODUCTS }, (_, at) =>
    JSON.stringify({ external_id: `p-${at}`, name: `Lamp ${at}`, sku: `L-${at}`, price: 10, stock: 1 }),
  );
  const pushed = await send('POST', '/v1/ingestion/push?mode=upsert', rows.join('\n'), {
    signWith: keys.hmac_test_secret,
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
  expect(pushed.status, pushed.text).toBe(202);
  await eventually(async () => {
    const { job } = (await send('GET', `/v1/ingestion/jobs/${pushed.body.job.id}`)).body;
    expect(job.rows_created).toBe(PRODUCTS);
  }, RESTART_MS);

  // The second batch is pushed, and its process crashes before the answer.
  const died = new Promise<void>((resolve, reject) => {
    channel.answer = (push) => {
      if (channel.pushes.length === 2) host.kill().then(resolve, reject);
      return { ...accepting()(push), hangMs: channel.pushes.length === 2 ? 1_000 : 0 };
    };
  });
  const made = await send('POST', '/v1/channels', { provider: 'c', name: 'C', url: channel.url, format: 'stoa' });
  expect(made.status, made.text).toBe(201);
  await died;
  await host.start();
  // The process that died had the channel for a while.
  await eventually(async () => {
    const reply = await send('GET', `/v1/channels/${made.body.channel.id}`);
    expect(reply.body.channel?.last_sync_at, reply.text).toEqual(expect.any(String));
  }, 2 * RESTART_MS);

  const times = new Map<string, number>();
  for (const { lines } of channel.pushes)
    for (const line of lines) times.set(idOf(line), (times.get(idOf(line)) ?? 0) + 1);
  expect(times.size).toBe(PRODUCTS);
  const twice = [...times.values()].filter((count) => count > 1);
  expect(Math.max(...times.values())).toBeLessThanOrEqual(2);
  expect(twice.length).toBeLessThanOrEqual(BATCH);
});
