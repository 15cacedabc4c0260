// `stoa staff …` in a running system: the printed link makes an account, which the list shows.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { dashboard, PASSWORD, tokenIn } from '#test/services/staff/client.ts';
import { openOperator } from '#test/support/marketplace.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const run = (...args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done) => {
    const home = join(tmpdir(), 'stoa-no-home');
    const child = spawn(process.execPath, [MAIN, 'staff', ...args], {
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

test('invites the first owner of a store, and lists them before and after', async () => {
  const store = ['--store', keys.code];
  expect((await run('list', ...store)).out).toContain('There is no staff.');
  const invited = await run('invite', ...store, '--email', 'Wanjiru_K@example.com', '--role', 'owner');
  expect([invited.code, invited.err]).toEqual([0, '']);
  const link = /https?:\S+/.exec(invited.out)?.[0] ?? '';
  expect((await run('list', ...store)).out).toMatch(/^wanjiru_k@example\.com +owner, invited until \d{4}-/);
  const accepted = await dashboard(stoa, 'POST', '/v1/staff/invitations/accept', {
    body: { token: tokenIn(link), password: PASSWORD, name: 'Wanjiru' },
  });
  expect(accepted.body.staff).toMatchObject({ email: 'wanjiru_k@example.com', role: 'owner' });
  expect((await run('list', ...store)).out).toMatch(/^wanjiru_k@example\.com +owner, Wanjiru, last signed in \d{4}-/);
  const { staff } = JSON.parse((await run('list', ...store, '--json')).out);
  expect(staff).toHaveLength(1);
});

test('invites the first owner of a marketplace operator', async () => {
  const { operator_id: id } = await openOperator(stoa, [keys.store_id]);
  const invited = await run('invite', '--operator', id, '--email', 'market@example.com', '--role', 'owner');
  expect([invited.code, invited.err]).toEqual([0, '']);
  const accepted = await dashboard(stoa, 'POST', '/v1/staff/invitations/accept', {
    body: { token: tokenIn(/https?:\S+/.exec(invited.out)?.[0] ?? ''), password: PASSWORD },
  });
  expect(accepted.body).toMatchObject({ staff: { role: 'owner' }, store: null, operator: { id, name: 'Mall' } });
  expect((await run('list', '--operator', id)).out).toMatch(/^market@example\.com +owner, last signed in \d{4}-/);
});

test.each([
  ['neither store nor operator', ['--email', 'a@example.com', '--role', 'owner'], /--store or --operator/],
  ['both', ['--store', 'x', '--operator', 'y', '--email', 'a@example.com', '--role', 'owner'], /--store or --operator/],
  ['an unknown store', ['--store', 'nowhere', '--email', 'a@example.com', '--role', 'owner'], /No such store/],
  ['an unknown role', ['--store', 'x', '--email', 'a@example.com', '--role', 'boss'], /role/],
  ['no address', ['--store', 'x', '--role', 'owner'], /email/],
])('refuses %s in one sentence', async (_, args, says) => {
  const { code, out, err } = await run('invite', ...args);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(says);
});
