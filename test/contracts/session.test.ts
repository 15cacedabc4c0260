// Checks the three session headers at every endpoint that identifies a shopper by one: exactly one of them, and of this store
// and environment.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import {
  allowLocalVerifier,
  openShopperSessions,
  SESSION_HEADERS,
  type Shopper,
  type ShopperSessions,
} from '#test/support/session.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const ID = '00000000-0000-7000-8000-000000000000';

allowLocalVerifier();
let stoa: Stoa;
let doorkeeper: ShopperSessions;
let keys: Keys;
let theirs: Keys;
let shopper: Shopper;
/** One shopper's three headers, each valid alone. */
let headers: Readonly<Record<string, string>>;
let outsider: Shopper;
let live: Shopper;
beforeAll(async () => {
  stoa = await sharedStoa();
  doorkeeper = await openShopperSessions(stoa);
  [keys, theirs] = [
    await stoa.createStore({ plan: 'enterprise', wholesale: true }),
    await stoa.createStore({ plan: 'enterprise' }),
  ];
  shopper = await doorkeeper.signIn(keys);
  const others = await Promise.all(
    SESSION_HEADERS.map((header) => doorkeeper.assert(keys, header, shopper).catch(() => null)),
  );
  headers = Object.assign({}, shopper.headers, ...others.map((each) => each?.headers ?? {}));
  outsider = await doorkeeper.signIn(theirs);
  live = await doorkeeper.signIn(keys, { environment: 'production' });
});
afterAll(async () => {
  doorkeeper?.stop();
});

/** An operator's shopper is none of a store's. */
const SHOPPER = routes.filter(
  ({ access, path }) => access.session !== 'none' && access.key !== 'operator' && !path.startsWith('/v1/marketplace/'),
);

let asked = 0;
/** From a network each: those of /v1/auth are limited. */
const ask = ({ verb, path }: Route, session: Readonly<Record<string, string>>): Promise<Reply> =>
  stoa.send(verb, path.replace(/:\w+/g, ID), {
    key: keys.secret_test_key,
    headers: { 'X-Shopper-IP': `10.7.${asked >> 8}.${asked++ & 255}`, ...session },
    ...(verb === 'GET' || verb === 'DELETE' ? {} : { body: {} }),
  });

test('one shopper has all three headers, and the table has endpoints that know a shopper', () => {
  expect(Object.keys(headers).sort()).toEqual([...SESSION_HEADERS].sort());
  expect(SHOPPER.length).toBeGreaterThan(20);
});

describe.each(SHOPPER.map((route) => [`${route.verb} ${route.path}`, route] as const))('%s', (_, route) => {
  test('takes exactly one of the three', async () => {
    const [one, two, three] = SESSION_HEADERS;
    for (const together of [
      [one, two],
      [one, three],
      [two, three],
      [one, two, three],
    ]) {
      const { status, body, text } = await ask(
        route,
        Object.fromEntries(together.map((name) => [name!, headers[name!]!])),
      );
      expect([status, body.error.code], `${together}: ${text}`).toEqual([400, 'invalid_request']);
    }
  });

  test('knows no shopper of another store or environment', async () => {
    for (const other of [outsider, live]) {
      const { status, text } = await ask(route, other.headers);
      expect(status, text).toBe(401);
    }
  });
});
