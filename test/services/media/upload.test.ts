// Uploads over a storage that fails: nothing stays of them, and the caller may retry.
import { beforeAll, expect, test } from 'vitest';
import { type Call, Refusal, type TenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Storage } from '#runtime/storage/storage.ts';
import { uploading } from '#services/media/upload.ts';
import { plainPng } from '#test/support/picture.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

/** A storage in memory that refuses the file with this number, counted from 1. */
const failingStorage = (fails: number): Storage & { readonly objects: Map<TenantKey, Uint8Array> } => {
  const objects = new Map<TenantKey, Uint8Array>();
  let puts = 0;
  return {
    objects,
    put: async (key, bytes) => {
      puts += 1;
      if (puts === fails) throw new Unavailable('full');
      objects.set(key, bytes);
    },
    read: async (key) => objects.get(key) ?? null,
    delete: async (key) => {
      objects.delete(key);
    },
  };
};

const callWith = (rawBody: Uint8Array): Call =>
  ({ tenant: { store: keys.store_id, environment: 'production' }, rawBody }) as Call;

const leftovers = async (): Promise<number> => {
  const { sql } = stoa.services.runtime.postgres;
  return (await sql`select 1 from media.leftover where store = ${keys.store_id}`).length;
};

test.each([1, 2, 3])('a storage that fails at file %i leaves no file and no leftover', async (fails) => {
  const storage = failingStorage(fails);
  const { prepare } = uploading(stoa.services.runtime, storage);
  await expect(prepare(callWith(plainPng(900, 30)), {})).rejects.toThrow(Unavailable);
  expect([storage.objects.size, await leftovers()]).toEqual([0, 0]);
});

test('an upload that is undone leaves no file and no leftover', async () => {
  const storage = failingStorage(0);
  const { prepare, undo } = uploading(stoa.services.runtime, storage);
  const call = callWith(plainPng(900, 30));
  const prepared = await prepare(call, {});
  if (prepared instanceof Refusal) throw new Error(prepared.message);
  expect([storage.objects.size, await leftovers()]).toEqual([4, 1]);
  await undo(call, prepared);
  expect([storage.objects.size, await leftovers()]).toEqual([0, 0]);
});

test('more uploads than the queue holds are refused with a time to retry', async () => {
  const { prepare } = uploading(stoa.services.runtime, failingStorage(0));
  const outcomes = await Promise.all(Array.from({ length: 14 }, () => prepare(callWith(plainPng(1_000, 1_000)), {})));
  const refused = outcomes.filter((outcome) => outcome instanceof Refusal);
  expect(refused.length).toBe(5);
  expect(refused.every(({ code, extra }) => code === 'service_unavailable' && extra.retryAfterS === 5)).toBe(true);
});
