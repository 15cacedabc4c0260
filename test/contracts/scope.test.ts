// Which scope opens which endpoint to an access token or a restricted key: every row of the route table against tokens and
// keys with that scope alone, with every other, and with all of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import { RESOURCES } from '#services/commerce/scope.ts';
import { connected } from '#test/services/connect/flow.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const ID = '00000000-0000-7000-8000-000000000000';
const SCOPES = RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]);

/** Services that full keys alone open: keys, apps, the sandbox's tools, the log of requests, exports and erasures of persons. */
const KEYS_ONLY = ['Connect', 'Console', 'Key', 'Mail', 'Privacy', 'Sandbox', 'Staff'];
/** Endpoints of other services that are the sandbox's tools. */
const TOOLS = ['Payment/SettleSimulated', 'WebhookLog/ReplayEvent'];

const guarded = routes.filter(({ access }) => !['none', 'operator', 'staff'].includes(access.key));
const scoped = guarded.filter(({ access }) => access.scope !== '');
const unscoped = guarded.filter(({ access }) => access.scope === '');

let stoa: Stoa;
let keys: Keys;
/** Tokens or restricted keys, by their scopes. */
interface Holders {
  readonly only: Map<string, string>;
  readonly allBut: Map<string, string>;
  everything: string;
}
const tokens: Holders = { only: new Map(), allBut: new Map(), everything: '' };
const restricted: Holders = { only: new Map(), allBut: new Map(), everything: '' };
const HOLDERS = [
  ['an access token', tokens],
  ['a restricted key', restricted],
] as const;

beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore({ wholesale: true, plan: 'enterprise' });
  const tokenOf = async (scopes: readonly string[]) =>
    (await connected(stoa, keys, { key: keys.secret_key, scopes })).tokens.access_token;
  const keyOf = async (scopes: readonly string[]) => {
    const key = { store: keys.store_id, name: 'Restricted', type: 'secret', environment: 'production' } as const;
    return ok(await stoa.services.runtime.ask('StoreAdmin/CreateKey', NO_TENANT, { ...key, scopes: [...scopes] })).key
      .secret!;
  };
  for (const [holders, holderOf] of [
    [tokens, tokenOf],
    [restricted, keyOf],
  ] as const) {
    for (const scope of SCOPES) {
      holders.only.set(scope, await holderOf([scope]));
      holders.allBut.set(scope, await holderOf(SCOPES.filter((other) => other !== scope)));
    }
    holders.everything = await holderOf(SCOPES);
  }
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
    test.each(HOLDERS)(
      'is opened to %s with the scope like to a full key, and with no other',
      async (_name, holders) => {
        const { only, allBut } = holders;
        expect(statusAndCode(await ask(route, only.get(scope)!))).toEqual(
          statusAndCode(await ask(route, keys.secret_key)),
        );
        const refused = await ask(route, allBut.get(scope)!);
        expect(statusAndCode(refused)).toEqual([403, 'forbidden']);
        expect(refused.body.error.hint).toContain(`\`${scope}\``);
      },
    );
  },
);

test.each(unscoped.map((route) => [route.verb, route.path, route] as const))(
  '%s %s is opened by no access token and no restricted key',
  async (_verb, _path, route) => {
    for (const [name, { everything }] of HOLDERS) {
      const refused = await ask(route, everything);
      expect(statusAndCode(refused), name).toEqual([403, 'forbidden']);
      expect(refused.body.error.hint).toMatch(/neither an access token nor a restricted key/i);
    }
  },
);

test.each(HOLDERS)('reading is not changing, and changing is not reading: %s', async (_name, { only }) => {
  const list = (key: string) => stoa.send('GET', '/v1/products', { key });
  const make = (key: string) => stoa.send('POST', '/v1/products', { key, body: { name: 'Lamp', price: 10 } });
  expect((await list(only.get('catalog:read')!)).status).toBe(200);
  expect((await make(only.get('catalog:read')!)).status).toBe(403);
  expect((await list(only.get('catalog:write')!)).status).toBe(403);
  expect((await make(only.get('catalog:write')!)).status).toBe(201);
});
