// Which scope opens which endpoint to an access token: every row of the route table against tokens with that scope alone,
// with every other, and with all of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { RESOURCES } from '#services/commerce/scope.ts';
import { connected } from '#test/services/connect/flow.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const ID = '00000000-0000-7000-8000-000000000000';
const SCOPES = RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]);

/** Services that no access token opens: the holders of keys, the sandbox's tools, the log of requests. */
const KEYS_ONLY = ['Connect', 'Console', 'Mail', 'Sandbox'];
/** Endpoints of other services that are the sandbox's tools. */
const TOOLS = ['Payment/SettleSimulated', 'WebhookLog/ReplayEvent'];

const guarded = routes.filter(({ access }) => access.key !== 'none' && access.key !== 'operator');
const scoped = guarded.filter(({ access }) => access.scope !== '');
const unscoped = guarded.filter(({ access }) => access.scope === '');

let stoa: Stoa;
let keys: Keys;
const only = new Map<string, string>();
const allBut = new Map<string, string>();
let everything: string;

beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore({ wholesale: true, plan: 'enterprise' });
  const tokenOf = async (scopes: readonly string[]) =>
    (await connected(stoa, keys, { key: keys.secret_key, scopes })).tokens.access_token;
  for (const scope of SCOPES) {
    only.set(scope, await tokenOf([scope]));
    allBut.set(scope, await tokenOf(SCOPES.filter((other) => other !== scope)));
  }
  everything = await tokenOf(SCOPES);
});
afterAll(() => stoa.stop());

let asked = 0;
/** An own address for each call, so that no limit is shared. */
const ask = ({ verb, path }: (typeof routes)[number], key: string): Promise<Reply> =>
  stoa.send(verb, path.replace(/:slug/g, 'nothing').replace(/:\w+/g, ID), {
    key,
    headers: { 'X-Forwarded-For': `10.0.${asked >> 8}.${asked++ & 255}` },
    ...(verb === 'GET' || verb === 'DELETE' ? {} : { body: '{' }),
  });
const statusAndCode = ({ status, body }: Reply) => [status, body?.error?.code];

test('every endpoint that takes a key has a scope, but those that keys alone open', () => {
  const services = new Set(unscoped.map(({ rpc }) => rpc).filter((rpc) => !TOOLS.includes(rpc)));
  expect([...new Set([...services].map((rpc) => rpc.split('/')[0]))].sort()).toEqual(KEYS_ONLY);
  expect(new Set(scoped.map(({ access }) => access.scope.split(':')[0]))).toEqual(new Set(RESOURCES));
});

describe.each(scoped.map((route) => [route.access.scope, route.verb, route.path, route] as const))(
  '%s: %s %s',
  (scope, _verb, _path, route) => {
    test('opens endpoints to an access token with the scope like to a secret key, and to no other scope', async () => {
      expect(statusAndCode(await ask(route, only.get(scope)!))).toEqual(
        statusAndCode(await ask(route, keys.secret_key)),
      );
      const refused = await ask(route, allBut.get(scope)!);
      expect(statusAndCode(refused)).toEqual([403, 'forbidden']);
      expect(refused.body.error.hint).toContain(`\`${scope}\``);
    });
  },
);

test.each(unscoped.map((route) => [route.verb, route.path, route] as const))(
  '%s %s is opened by no access token',
  async (_verb, _path, route) => {
    const refused = await ask(route, everything);
    expect(statusAndCode(refused)).toEqual([403, 'forbidden']);
    expect(refused.body.error.hint).toMatch(/no access token/i);
  },
);

test('reading is not changing, and changing is not reading', async () => {
  const list = (key: string) => stoa.send('GET', '/v1/products', { key });
  const make = (key: string) => stoa.send('POST', '/v1/products', { key, body: { name: 'Lamp', price: 10 } });
  expect((await list(only.get('catalog:read')!)).status).toBe(200);
  expect((await make(only.get('catalog:read')!)).status).toBe(403);
  expect((await list(only.get('catalog:write')!)).status).toBe(403);
  expect((await make(only.get('catalog:write')!)).status).toBe(201);
});
