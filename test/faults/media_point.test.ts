// Uploads whose host dies: an acknowledged one is served afterwards, and a retry under its key finds one picture.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Failpoint } from '#runtime/process/failpoint.ts';
import { plainPng } from '#test/support/picture.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { crashAndRetry } from './crash.ts';

let home: string;
let database: TestDatabase;
let postgres: Postgres;
let cluster: Cluster;
let host: Member;
let url: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-media-point-'));
  database = await freshDatabase();
  postgres = openPostgres(database.url);
  cluster = await startCluster({ home, databaseUrl: database.url, hosts: 1, edges: 1, nats: 1 });
  host = cluster.hosts[0]!;
  url = cluster.edges[0]!.address;
}, 240_000);
afterAll(async () => {
  await cluster.stop();
  await postgres.close();
  await database.drop();
  await rm(home, { recursive: true, force: true });
});

const upload = (keys: Keys, name: string) =>
  sendTo(url, 'POST', `/v1/media?name=${name}`, {
    key: keys.secret_key,
    body: plainPng(700, 300),
    headers: { 'Idempotency-Key': name },
  });

const mediaOf = async (keys: Keys): Promise<{ id: string; url: string; bytes: number }[]> =>
  (await sendTo(url, 'GET', '/v1/media', { key: keys.secret_key })).body.media;

const leftovers = async (keys: Keys): Promise<number> =>
  (await postgres.sql`select 1 from media.leftover where store = ${keys.store_id}`).length;

/** The address names the edge's own port, which is not the configured public URL. */
const served = async (media: { url: string }): Promise<Response> => fetch(`${url}${new URL(media.url).pathname}`);

test('an acknowledged upload survives kill -9 of the host', { timeout: 240_000 }, async () => {
  const keys = await cluster.createStore();
  const { status, body, text } = await upload(keys, 'once.png');
  expect(status, text).toBe(201);
  await host.kill();
  await host.start();
  await eventually(async () => {
    const response = await served(body.media);
    expect(response.status).toBe(200);
    expect((await response.bytes()).length).toBe(body.media.bytes);
  }, 60_000);
});

test.each<[string, Failpoint, number]>([
  ['after its key was looked up', 'claim', 0],
  ['before the commit', 'transaction', 1],
  ['after the commit', 'commit', 0],
  ['before the reply', 'reply', 0],
])('an upload whose host dies %s is one picture after a retry', { timeout: 240_000 }, async (_, place, left) => {
  const keys = await cluster.createStore();
  const shop = { member: host, place, shop: keys };
  const { body } = await crashAndRetry(shop, () => upload(keys, 'once.png'), undefined);
  const all = await mediaOf(keys);
  expect(all.map(({ id }) => id)).toEqual([body.media.id]);
  expect((await served(all[0]!)).status).toBe(200);
  // The sweep deletes the files of the first attempt later.
  expect(await leftovers(keys)).toBe(left);
});
