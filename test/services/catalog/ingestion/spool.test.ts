// Spooled documents: complete, ordered, and unlinked.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { openSpool } from '#services/catalog/ingestion/spool.ts';

test('reads chunks in order of appending, without awaiting each', async () => {
  const spool = await openSpool();
  const chunks = Array.from({ length: 50 }, (_, at) => Buffer.alloc(1 + ((at * 977) % 70_000), at));
  for (const chunk of chunks) void spool.append(chunk);
  expect(Buffer.compare(await spool.read(), Buffer.concat(chunks))).toBe(0);
  await spool.close();
});

test('reads nothing if nothing was appended', async () => {
  const spool = await openSpool();
  expect(await spool.read()).toEqual(new Uint8Array(0));
  await spool.close();
});

test('leaves no file behind when its process ends', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('stoa-document-'));
  const spool = await openSpool();
  await spool.append(Buffer.from('id,name'));
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('stoa-document-'))).toEqual(before);
  await spool.close();
});
