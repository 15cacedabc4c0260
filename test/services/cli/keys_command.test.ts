// `stoa keys …` in a running system: lists, creates, rolls and revokes keys of a store.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const run = (group: 'key' | 'keys', ...args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done) => {
    const home = join(tmpdir(), 'stoa-no-home');
    const child = spawn(process.execPath, [MAIN, group, ...args], {
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
const parsed = async (...args: string[]): Promise<Record<string, string>> => {
  const { code, out, err } = await run('keys', ...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
};
const ids = async (): Promise<readonly string[]> => {
  const found = await stoa.services.runtime.ask('StoreAdmin/ListKeys', NO_TENANT, { store: keys.code });
  return ok(found).keys.map(({ id }) => id);
};
const statusWith = async (key: string, path: string) => (await stoa.send('GET', path, { key })).status;

test('creates a restricted key, rolls it with an overlap and revokes both', async () => {
  const store = ['--store', keys.code];
  const first = await parsed('create', ...store, '--name', 'Till 4', '--scopes', 'catalog:read, orders:read', '--test');
  expect(first).toEqual({
    key_id: expect.any(String),
    key: expect.stringMatching(/^svc_sk_test_/),
    hmac_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await statusWith(first.key!, '/v1/orders')).toBe(200);
  expect(await statusWith(first.key!, '/v1/webhook-endpoints')).toBe(403);

  const second = await parsed('roll', first.key_id!, ...store, '--overlap-hours', '2');
  const { out } = await run('key', 'list', ...store);
  const lines = out.split('\n').filter((line) => line.includes('Till 4'));
  const tail = (key: string) =>
    `svc_sk_test_…${key.slice(-4)}  Till 4, only catalog:read orders:read, (no use recorded|used \\S+ from \\S+)`;
  expect(lines).toEqual([
    expect.stringMatching(`^  ${second.key_id}  ${tail(second.key!)}$`),
    expect.stringMatching(`^  ${first.key_id}  ${tail(first.key!)}, works until 20.*Z$`),
  ]);
  for (const { key } of [first, second]) expect(await statusWith(key!, '/v1/orders')).toBe(200);

  const { text, body } = await stoa.send('GET', '/v1/audit-log', { key: keys.secret_key });
  const recorded = ({ actor, operation, resource }: Reply['body']) => [
    actor.kind,
    operation,
    resource.type,
    resource.id,
  ];
  expect(body.audit_log.map(recorded)).toEqual(
    expect.arrayContaining([
      ['command_line', 'StoreAdmin/CreateKey', 'key', first.key_id],
      ['command_line', 'StoreAdmin/RollKey', 'key', first.key_id],
    ]),
  );
  for (const { key, hmac_secret } of [first, second])
    for (const secret of [key!, hmac_secret!]) expect(text).not.toContain(secret);

  expect((await run('key', 'revoke', first.key_id!, '--store', keys.store_id)).code).toBe(0);
  expect((await run('keys', 'revoke', second.key!)).code).toBe(0);
  for (const { key } of [first, second]) expect(await statusWith(key!, '/v1/orders')).toBe(401);
});

test('tells a person what to save, and rotates full keys alone', async () => {
  const { out } = await run('keys', 'create', '--store', keys.code, '--name', 'Page', '--type', 'publishable');
  expect(out).toMatch(/^The key Page is created\. Save these values; they are not shown again:\n/);
  expect(out).toMatch(/key id +[0-9a-f-]{36}\n +key +svc_pk_live_[0-9a-f]{48}\n$/);
  const restricted = await parsed('create', '--store', keys.code, '--name', 'R', '--scopes', 'catalog:read');
  const rotated = await parsed('rotate', '--store', keys.code);
  expect(await statusWith(keys.secret_key, '/v1/products')).toBe(401);
  expect(await statusWith(rotated.secret_key!, '/v1/products')).toBe(200);
  expect(await statusWith(restricted.key!, '/v1/products')).toBe(200);
});

test.each([
  ['create --store CODE --name X --scopes orders', /The scope orders does not exist.*scopes\[0\]/],
  ['create --store CODE --name X --type publishable --scopes orders:read', /publishable key has no scopes.*\(scopes\)/],
  ['create --store unknown --name X', /No such store/],
  ['create --store CODE', /--name/],
  ['list --store unknown', /No such store/],
  ['list', /--store/],
  [`roll ${UNKNOWN_ID} --store CODE`, /No such key/],
  [`roll ${UNKNOWN_ID} --store CODE --overlap-hours 169`, /overlap_hours/],
  [`roll ${UNKNOWN_ID} --store CODE --overlap-hours some`, /--overlap-hours must be a whole number/],
  ['roll --store CODE', /Missing required positional argument: KEY/],
  [`revoke ${UNKNOWN_ID} --store CODE`, /No such key/],
])('stoa keys %s fails with one sentence', async (typed, why) => {
  const before = await ids();
  const { code, out, err } = await run('keys', ...typed.replace('CODE', keys.code).split(' '));
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(why);
  expect(await ids()).toEqual(before);
});

test('revokes no key of another store where one is named', async () => {
  const other = await stoa.createStore();
  const { code, err } = await run('keys', 'revoke', other.secret_key, '--store', keys.code);
  expect([code, err]).toEqual([1, 'No such key. (key)\n']);
  expect(await statusWith(other.secret_key, '/v1/store')).toBe(200);
});
