// `stoa secret rotate …` in a running system.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const rotate = (...args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done) => {
    const home = join(tmpdir(), 'stoa-no-home');
    const child = spawn(process.execPath, [MAIN, 'secret', 'rotate', ...args], {
      env: { ...process.env, STOA_HOME: home, STOA_LINK: stoa.services.address, STOA_LINK_TOKEN: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (bytes) => {
      out += bytes;
    });
    child.stderr.on('data', (bytes) => {
      err += bytes;
    });
    child.once('close', (code) => done({ code, out, err }));
  });

const push = async (signWith: string) =>
  (await stoa.send('POST', '/v1/ingestion/push', { key: keys.secret_test_key, signWith, body: { products: [] } }))
    .status;

test('rotates the HMAC secret of a sandbox, tells until when both work, goes back and ends one', async () => {
  const of = ['hmac', '--store', keys.code, '--test'];
  expect((await rotate(...of, '--status')).out).toBe('One HMAC secret is accepted.\n');
  const made = JSON.parse((await rotate(...of, '--json')).out);
  expect(made).toEqual({ hmac_secret: expect.stringMatching(/^[0-9a-f]{64}$/), both_until: expect.any(String) });
  expect([await push(made.hmac_secret), await push(keys.hmac_test_secret)]).toEqual([202, 202]);
  const again = await rotate(...of);
  expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining(made.both_until) });
  const status = await rotate(...of, '--status');
  expect(status.out).toBe(`Two HMAC secrets are accepted until ${made.both_until}.\n`);
  expect((await rotate(...of, '--undo')).out).toMatch(/^Two HMAC secrets are accepted until 20.*Z\.\n$/);
  expect((await rotate(...of, '--finish')).out).toBe('One HMAC secret is accepted.\n');
  expect(await push(keys.hmac_test_secret)).toBe(202);

  const { body, text } = await stoa.send('GET', '/v1/audit-log', { key: keys.secret_test_key });
  const steps = body.audit_log
    .filter(({ operation }: { operation: string }) => operation === 'StoreAdmin/RotateHmacSecret')
    .map(({ actor, after }: { actor: { kind: string }; after: { step: string } }) => [actor.kind, after.step]);
  expect(steps).toEqual(['finish', 'undo', 'start'].map((step) => ['command_line', step]));
  for (const secret of [made.hmac_secret, keys.hmac_test_secret]) expect(text).not.toContain(secret);
});

test.each([
  ['hmac --store CODE --undo', /No rotation of the HMAC secret is under way/],
  [
    'hmac --store CODE --undo --finish',
    /Only one of --status, --undo and --finish may be given, not --undo and --finish/,
  ],
  ['hmac --store unknown', /No such store/],
  ['hmac', /--store/],
])('stoa secret rotate %s fails with one sentence', async (typed, why) => {
  const { code, out, err } = await rotate(...typed.replace('CODE', keys.code).split(' '));
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(why);
});
