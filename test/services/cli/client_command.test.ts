// `stoa client create` in a running system: the app that it makes gets into a store, with its secret and not without.
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { begin, calledBack, decide, exchange, REDIRECT, reads } from '#test/services/connect/flow.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));
const OTHER = 'https://planner.example.com/other';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const create = (...args: string[]): Promise<{ code: number | null; out: string; err: string }> =>
  new Promise((done) => {
    const home = join(tmpdir(), 'stoa-no-home');
    const child = spawn(process.execPath, [MAIN, 'client', 'create', ...args], {
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

const clients = async (): Promise<number> => {
  const [row] = await stoa.services.runtime.postgres.sql`select count(*)::integer as count from connect.client`;
  return row!.count as number;
};

test('makes a client whose secret opens the token endpoint, from each of its addresses', async () => {
  const made = await create('--name', 'Ledger & Co', '--redirect-uri', `${REDIRECT} ${OTHER}`, '--json');
  expect([made.code, made.err]).toEqual([0, '']);
  const { client_id, client_secret, ...more } = JSON.parse(made.out) as Record<string, string>;
  expect(more).toEqual({});
  for (const redirect_uri of [REDIRECT, OTHER]) {
    const app = await begin(stoa, keys, { client_id, redirect_uri, client_name: 'Another app' });
    expect(app.session.client_name).toBe('Ledger & Co');
    const code = calledBack(await decide(app, 'allow')).get('code')!;
    const wrongs: Record<string, string>[] = [{}, { client_secret: `${client_secret}x` }];
    for (const wrong of wrongs) {
      const refused = await exchange(stoa, app, code, wrong);
      expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
    }
    const issued = await exchange(stoa, app, code, { client_secret: client_secret! });
    expect(issued.status, JSON.stringify(issued.body)).toBe(200);
    expect((await reads(stoa, String(issued.body.access_token))).status).toBe(200);
  }
  // The secret is kept as its hash.
  const [row] = await stoa.services.runtime.postgres.sql`
    select row_to_json(c)::text as text from connect.client as c where id = ${client_id!}`;
  expect(row!.text).not.toContain(client_secret);
});

test('tells a person both in words, and that the secret is not shown again', async () => {
  const { code, out } = await create('--name', 'Planner', '--redirect-uri', REDIRECT);
  expect(code).toBe(0);
  expect(out).toMatch(/Planner is registered\. Save these values; the secret is not shown again:/);
  expect(out).toMatch(/client id +app_[0-9a-f]{24}\n +client secret +svc_cs_\S{43}\n/);
});

test.each([
  ['no name', ['--redirect-uri', REDIRECT], /name/],
  ['no address', ['--name', 'Planner'], /redirect-uri/i],
  ['a blank name', ['--name', '  ', '--redirect-uri', REDIRECT], /name/],
  ['a blank address', ['--name', 'Planner', '--redirect-uri', ' '], /redirect_uris/],
  [
    'an address of the open web without TLS',
    ['--name', 'P', '--redirect-uri', 'http://a.example/'],
    /redirect_uris\[0\]/,
  ],
  [
    'a second address with a fragment',
    ['--name', 'P', '--redirect-uri', `${REDIRECT} ${OTHER}#x`],
    /redirect_uris\[1\]/,
  ],
  ['a script', ['--name', 'P', '--redirect-uri', 'javascript:alert(1)'], /redirect_uris\[0\]/],
])('with %s makes none, and says which option is wrong', async (_name, args, says) => {
  const before = await clients();
  const { code, out, err } = await create(...args, '--json');
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(says);
  expect(await clients()).toBe(before);
});
