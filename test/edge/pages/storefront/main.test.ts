// The files that the shop's pages load: names with hashes, and a bound for the script.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const SCRIPT_BYTES_MAX = 60_000;

test('copies the design system’s tokens, since the project of `stoa shop new` stands alone', async () => {
  const read = (part: string) => readFile(`edge/pages/${part}/style/token.css`, 'utf8');
  expect(await read('storefront')).toBe(await read('design'));
});

describe('the first page', () => {
  let stoa: Stoa;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-shop-file-'));
    const demoFile = join(folder, 'demo.json');
    stoa = await startStoa({ demoFile });
    await writeFile(demoFile, JSON.stringify(await stoa.createStore()));
  });
  afterAll(async () => {
    await stoa?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('loads script and style under names that contain their hash', async () => {
    const page = await (await fetch(`${stoa.url}/shop`)).text();
    for (const [pattern, type, word] of [
      [/src="([^"]+)"/, 'text/javascript; charset=utf-8', '/v1/cart'],
      [/rel="stylesheet" href="([^"]+)"/, 'text/css; charset=utf-8', '.cards'],
      [/rel="preload" href="([^"]+)"/, 'font/woff2', 'wOF2'],
    ] as const) {
      const file = await fetch(stoa.url + pattern.exec(page)![1]);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect(await file.text()).toContain(word);
    }
  });

  test('loads at most 60 kB of script', async () => {
    const page = await (await fetch(`${stoa.url}/shop`)).text();
    const loaded = [...page.matchAll(/<(?:script[^>]*\ssrc|link rel="modulepreload" href)="([^"]+)"/g)];
    expect(loaded.length).toBeGreaterThan(0);
    let bytes = 0;
    for (const [, path] of loaded)
      bytes += Bun.gzipSync(new Uint8Array(await (await fetch(stoa.url + path)).arrayBuffer())).length;
    expect(bytes).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
  });
});
