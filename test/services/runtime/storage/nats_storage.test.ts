// Files in NATS: written and read in parts, deleted whole, and readable by the standard object store.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Bus } from '#runtime/nats/bus.ts';
import { connect } from '#runtime/nats/library.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { bucketOf, natsStorage } from '#runtime/storage/nats_storage.ts';
import { PART_BYTES, type Storage } from '#runtime/storage/storage.ts';
import { eventually, freshNamespace, serverUrls, testLog } from '#test/support/server.ts';

const TENANT: Tenant = { store: randomUUID(), environment: 'production' };
const namespace = freshNamespace();
const keyOf = (file: string) => tenantKey(TENANT, `${randomUUID()}/${file}`);
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 9)) % 256);

let bus: Bus;
let storage: Storage;
beforeAll(async () => {
  bus = connectBus({ url: serverUrls().nats, name: 'test', log: testLog() });
  await eventually(() => expect(bus.connected).toBe(true));
  storage = natsStorage(bus, namespace);
});
afterAll(() => bus.close());

const wholeOf = (key: ReturnType<typeof keyOf>) => storage.read(key, 0, 100 * PART_BYTES);

test.each([1, PART_BYTES, PART_BYTES + 1, 9 * PART_BYTES + 77])(
  'a file of %i bytes is read as it was written',
  async (length) => {
    const key = keyOf('main');
    await storage.put(key, bytesOf(length), 'image/png');
    expect(Buffer.from((await wholeOf(key))!).equals(bytesOf(length))).toBe(true);
  },
);

test('a range of a file is read from the parts that it lies in', async () => {
  const key = keyOf('main');
  const bytes = bytesOf(3 * PART_BYTES + 5);
  await storage.put(key, bytes, 'image/png');
  for (const [from, length] of [
    [0, 10],
    [PART_BYTES - 3, 6],
    [PART_BYTES, PART_BYTES],
    [3 * PART_BYTES, 100],
  ] as const)
    expect(Buffer.from((await storage.read(key, from, length))!).equals(bytes.subarray(from, from + length))).toBe(
      true,
    );
});

test('a deleted file is gone, for a storage that knew it and for another', async () => {
  const key = keyOf('main');
  await storage.put(key, bytesOf(10), 'image/png');
  await wholeOf(key);
  await storage.delete(key);
  expect(await wholeOf(key)).toBeNull();
  expect(await natsStorage(bus, namespace).read(key, 0, 10)).toBeNull();
  await storage.delete(key);
});

test('the object store of NATS lists and reads the files', async () => {
  const key = keyOf('main');
  const bytes = bytesOf(2 * PART_BYTES + 1);
  await storage.put(key, bytes, 'image/webp');
  const { username, password, host } = new URL(serverUrls().nats);
  const connection = await connect({ servers: host, user: username, pass: password });
  try {
    const objects = await connection.jetstream().views.os(bucketOf(namespace));
    expect((await objects.info(key))?.size).toBe(bytes.length);
    expect(Buffer.from((await objects.getBlob(key))!).equals(bytes)).toBe(true);
  } finally {
    await connection.close();
  }
});

test('a full or missing bus is a fault to retry, not a stored file', async () => {
  const away = connectBus({ url: 'nats://127.0.0.1:1', name: 'test', log: testLog() });
  await expect(natsStorage(away, namespace).put(keyOf('main'), bytesOf(9), 'image/png')).rejects.toThrow(Unavailable);
  await away.close();
});
