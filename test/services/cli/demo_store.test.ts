// The demo store of a first start, on a busy machine: services that do not answer yet are asked again.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareDemo } from '#services/cli/demo_store.ts';
import { readJson } from '#services/cli/local/home.ts';
import type { Running } from '#services/cli/running.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

/** No edge: what fills the shop is asked for where a whole system starts. */
const NOWHERE = 'http://127.0.0.1:1';

let stoa: Stoa;
let home: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  home = await mkdtemp(join(tmpdir(), 'stoa-demo-'));
});
afterAll(async () => {
  if (home) await rm(home, { recursive: true, force: true });
});

const prepare = (socket: string, said: string[], stopping = false, foreign = false) =>
  prepareDemo({
    home,
    running: { base_url: NOWHERE, link: `unix:${socket}` } as Running,
    say: (text) => said.push(text),
    foreign,
    stopping: () => stopping,
  });

test('creates the demo store once the services answer', async () => {
  const socket = join(home, 'late.sock');
  const said: string[] = [];
  const prepared = prepare(socket, said);
  // Asked at least once by now, in vain.
  await Bun.sleep(300);
  await symlink(stoa.services.address.replace('unix:', ''), socket);
  await prepared;
  expect(readJson(join(home, 'demo.json'))).toMatchObject({
    base_url: NOWHERE,
    secret_key: expect.stringMatching(/^svc_sk_live_/),
    hmac_test_secret: expect.any(String),
  });
  expect(said).toEqual(['Filling the demo store.', expect.stringContaining('the next start continues')]);
});

test('stops retrying when told to stop', async () => {
  await rm(join(home, 'demo.json'), { force: true });
  await expect(prepare(join(home, 'never.sock'), [], true)).rejects.toThrow('No services answer');
});

test('creates no demo store in a database filled elsewhere', async () => {
  await rm(join(home, 'demo.json'), { force: true });
  const said: string[] = [];
  await prepare('/nowhere', said, false, true);
  expect(said).toEqual([expect.stringContaining('No demo store')]);
  expect(readJson(join(home, 'demo.json'))).toBeNull();
});
