// Files that no record names: of broken uploads and of deleted media. A sweep deletes them, and no others.
import { randomUUID } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { natsStorage } from '#runtime/storage/nats_storage.ts';
import type { Storage } from '#runtime/storage/storage.ts';
import { keysOf } from '#services/media/file.ts';
import { sweepLeftovers } from '#services/media/sweep.ts';
import { insertLeftover } from '#services/media/table/media.ts';
import { plainPng } from '#test/support/picture.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let tenant: Tenant;
let storage: Storage;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  tenant = { store: keys.store_id, environment: 'production' };
  const { bus, namespace } = stoa.services.runtime;
  storage = natsStorage(bus, namespace);
});

const sql = () => stoa.services.runtime.postgres.sql;
const sweep = () => {
  const { postgres, clock } = stoa.services.runtime;
  return sweepLeftovers({ postgres, clock, storage });
};
const leftovers = async () =>
  (await sql()<{ id: string }[]>`select id from media.leftover where store = ${keys.store_id}`).map(({ id }) => id);
const upload = async () =>
  (await stoa.send('POST', '/v1/media', { key: keys.secret_key, body: plainPng(500, 20) })).body.media;
const stored = async (id: string) => {
  const { bus, namespace } = stoa.services.runtime;
  const fresh = natsStorage(bus, namespace);
  const found = await Promise.all(keysOf(tenant, id).map((key) => fresh.read(key, 0, 9)));
  return found.filter((bytes) => bytes !== null).length;
};

test('the files of a deleted picture are deleted, and those of others stay', async () => {
  const [gone, other] = [await upload(), await upload()];
  expect([await stored(gone.id), await leftovers()]).toEqual([3, []]);
  await stoa.send('DELETE', `/v1/media/${gone.id}`, { key: keys.secret_key });
  expect(await leftovers()).toEqual([gone.id]);
  await sweep();
  expect([await stored(gone.id), await stored(other.id), await leftovers()]).toEqual([0, 3, []]);
});

test('the files of an upload that a process did not finish are deleted after ten minutes', async () => {
  const id = randomUUID();
  for (const key of keysOf(tenant, id)) await storage.put(key, new Uint8Array(600_000), 'image/png');
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
  await insertLeftover(sql(), tenant, id, minutesAgo(9));
  await sweep();
  expect(await stored(id)).toBe(4);
  await sql()`update media.leftover set since = ${minutesAgo(11)} where id = ${id}`;
  await sweep();
  expect([await stored(id), await leftovers()]).toEqual([0, []]);
});

test('an upload whose connection breaks off leaves no record and no leftover', async () => {
  const before = await stoa.send('GET', '/v1/media?limit=100', { key: keys.secret_key });
  const { hostname, port } = new URL(stoa.url);
  await new Promise<void>((done) => {
    const socket = connectSocket(Number(port), hostname, () => {
      socket.write(
        `POST /v1/media HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${keys.secret_key}\r\n` +
          'Content-Type: image/png\r\nContent-Length: 1000000\r\n\r\n',
      );
      socket.write(plainPng(400, 400), () => socket.destroy());
    });
    socket.on('close', () => done());
  });
  // The next upload of the same edge is answered, so the broken one has ended.
  await upload();
  await eventually(async () => expect(await leftovers()).toEqual([]));
  const after = await stoa.send('GET', '/v1/media?limit=100', { key: keys.secret_key });
  expect(after.body.media.length).toBe(before.body.media.length + 1);
});
