// Files in S3, on a server that speaks its protocol: written below the prefix, read by ranges, deleted.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { s3Storage } from '#runtime/storage/s3_storage.ts';
import type { Storage } from '#runtime/storage/storage.ts';
import { type ObjectServer, startObjectServer } from '#test/support/s3.ts';

const keyOf = () => tenantKey({ store: randomUUID(), environment: 'sandbox' }, `${randomUUID()}/main`);

let server: ObjectServer;
let storage: Storage;
beforeAll(() => {
  server = startObjectServer();
  storage = s3Storage({
    bucket: 'pictures',
    prefix: 'shop/',
    endpoint: server.url,
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  });
});
afterAll(() => server.stop());

test('a file is stored below the prefix with its media type, and read by ranges', async () => {
  const key = keyOf();
  const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => at % 251);
  await storage.put(key, bytes, 'image/webp');
  expect(server.objects.get(`pictures/shop/${key}`)?.contentType).toBe('image/webp');
  expect(Buffer.from((await storage.read(key, 0, 3_000_000))!).equals(bytes)).toBe(true);
  expect(Buffer.from((await storage.read(key, 1_000, 50))!).equals(bytes.subarray(1_000, 1_050))).toBe(true);
  expect(server.requests.at(-1)).toContain('bytes=1000-1049');
});

test('a deleted file is null, and is deleted again without a fault', async () => {
  const key = keyOf();
  await storage.put(key, new Uint8Array(5), 'image/png');
  await storage.delete(key);
  await storage.delete(key);
  expect(await storage.read(key, 0, 5)).toBeNull();
});

test('a server that fails is a fault to retry', async () => {
  const key = keyOf();
  server.failure = 503;
  await expect(storage.put(key, new Uint8Array(5), 'image/png')).rejects.toThrow(Unavailable);
  await expect(storage.read(key, 0, 5)).rejects.toThrow(Unavailable);
  await expect(storage.delete(key)).rejects.toThrow(Unavailable);
  server.failure = null;
}, 60_000);
