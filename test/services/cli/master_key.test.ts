// The master key is changed under callers: the host reads its file again, re-seals, and goes back when told.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, MASTER_KEY, type Stoa, startStoa } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));
const WITHIN_MS = 60_000;

let folder: string;
let file: string;
let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-master-key-'));
  file = join(folder, 'master.key');
  // The first rotation makes the file.
  stoa = await startStoa({ masterKeyFile: file });
  keys = await stoa.createStore();
});
afterAll(async () => {
  await stoa?.stop();
  await rm(folder, { recursive: true, force: true });
});

const spawned = (...args: string[]) => {
  const key = { STOA_MASTER_KEY: MASTER_KEY, STOA_MASTER_KEY_FILE: file };
  const env = { ...process.env, ...key, STOA_LINK: stoa.services.address, STOA_LINK_TOKEN: '', STOA_HOME: folder };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  return spawn(process.execPath, [MAIN, 'secret', 'rotate', 'master-key', ...args], { env, stdio });
};
const rotate = (...args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done) => {
    const child = spawned(...args);
    let [out, err] = ['', ''];
    child.stdout.on('data', (bytes) => {
      out += bytes;
    });
    child.stderr.on('data', (bytes) => {
      err += bytes;
    });
    child.once('close', (code) => done({ code, out, err }));
  });
const keysInFile = async (): Promise<string[]> => (await readFile(file, 'utf8')).trim().split(',');
const allResealed = () =>
  eventually(async () => expect(JSON.parse((await rotate('--status', '--json')).out).waiting).toBe(0), WITHIN_MS);

test('changes the key, goes back and finishes while callers sign, retry and set up endpoints', async () => {
  let stopped = false;
  const failures: string[] = [];
  let calls = 0;
  const caller = async (name: string): Promise<void> => {
    for (let n = 0; !stopped; n++) {
      const headers = { 'Idempotency-Key': `${name}-${n}` };
      const body = { url: 'https://shop.example.com/', events: ['*'] };
      const options = { key: keys.secret_key, headers, body, patient: true };
      const [first, retry] = [
        await stoa.send('POST', '/v1/webhook-endpoints', options),
        await stoa.send('POST', '/v1/webhook-endpoints', options),
      ];
      const { id } = first.body.webhook_endpoint ?? {};
      if (first.status !== 201 || retry.body.webhook_endpoint?.id !== id) failures.push(first.text, retry.text);
      const ended = await stoa.send('DELETE', `/v1/webhook-endpoints/${id}`, { key: keys.secret_key, patient: true });
      if (ended.status !== 200) failures.push(ended.text);
      const push = { key: keys.secret_key, signWith: keys.hmac_secret, body: { products: [] }, patient: true };
      const signed = await stoa.send('POST', '/v1/ingestion/push', push);
      if (signed.status !== 202) failures.push(signed.text);
      calls++;
    }
  };
  const callers = Promise.all(['a', 'b', 'c'].map(caller));

  const started = await rotate();
  expect([started.code, started.err]).toEqual([0, '']);
  expect(started.out).toMatch(
    /^2 master keys are in use, the first one seals: \d+ of \d+ secrets are sealed under the first\.\n$/,
  );
  const [fresh, ...others] = await keysInFile();
  expect(others).toEqual([MASTER_KEY]);
  expect(fresh).not.toBe(MASTER_KEY);
  expect(await rotate()).toMatchObject({ code: 1, err: expect.stringContaining('is under way') });
  await allResealed();
  expect((await rotate('--undo')).code).toBe(0);
  expect(await keysInFile()).toEqual([MASTER_KEY, fresh]);
  await allResealed();
  expect((await rotate('--undo')).code).toBe(0);
  await allResealed();
  expect((await rotate('--finish')).out).toMatch(/^One master key is in use: (\d+) of \1 secrets/);
  expect(await keysInFile()).toEqual([fresh]);

  stopped = true;
  await callers;
  expect(failures).toEqual([]);
  expect(calls).toBeGreaterThan(0);
  for (const step of ['--undo', '--finish'])
    expect(await rotate(step)).toMatchObject({ code: 1, err: 'No rotation of the master key is under way.\n' });
});

test('goes back and finishes after a kill -9 of the command', async () => {
  const [first] = await keysInFile();
  const child = spawned();
  const ended = new Promise((done) => child.once('close', done));
  await eventually(async () => expect(await keysInFile()).toHaveLength(2), WITHIN_MS);
  child.kill('SIGKILL');
  await ended;
  const [fresh] = await keysInFile();
  expect(await rotate()).toMatchObject({ code: 1, err: expect.stringContaining('is under way') });
  await allResealed();
  expect((await rotate('--undo')).code).toBe(0);
  expect(await keysInFile()).toEqual([first, fresh]);
  await allResealed();
  expect((await rotate('--finish')).code).toBe(0);
  expect(await keysInFile()).toEqual([first]);
});

test('refuses to finish while a secret is sealed under the old key', async () => {
  expect((await rotate()).code).toBe(0);
  const before = await keysInFile();
  const { sql } = stoa.services.runtime.postgres;
  // No key opens it, so that it is never sealed again.
  await sql`
    update store.environment set external_auth_secret = decode('01' || repeat('00', 40), 'hex') where store = ${keys.store_id}`;
  await eventually(async () => expect((await rotate('--status')).out).toMatch(/in use/));
  const { code, err } = await rotate('--finish');
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^\d+ of \d+ secrets are still sealed under the old master key/),
  ]);
  expect(await keysInFile()).toEqual(before);
});

test.each([
  { what: 'a file', content: `${MASTER_KEY}\n` },
  { what: 'the absence of a file', content: null },
])('restores $what that the host does not read', async ({ content }) => {
  const other = join(folder, 'other.key');
  if (content === null) await rm(other, { force: true });
  else await writeFile(other, content);
  const [read, written] = [file, await readFile(file, 'utf8')];
  file = other;
  const { code, err } = await rotate();
  file = read;
  expect([code, err]).toEqual([1, expect.stringContaining(`The host does not read ${other}`)]);
  expect(existsSync(other) ? await readFile(other, 'utf8') : null).toBe(content);
  expect(await readFile(file, 'utf8')).toBe(written);
});
