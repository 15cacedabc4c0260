// Which role of a store's staff opens which endpoint: every row of the route table with a session of every role.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { RESOURCES } from '#services/commerce/scope.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';
import { dashboard, enter, join, type Member } from '#test/services/staff/client.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const ID = '00000000-0000-7000-8000-000000000000';

/** Roles that have a scope, in the order of refusals; an owner and a manager have all of them, an analyst may read all. */
const READERS: Readonly<Record<string, readonly StaffRole[]>> = {
  catalog: ['catalogue', 'orders', 'support'],
  orders: ['orders', 'support'],
  customers: ['orders', 'support'],
  payments: ['orders', 'support'],
  promotions: ['catalogue', 'orders', 'support'],
  shipping: ['catalogue', 'orders', 'support'],
  content: ['catalogue', 'support'],
  reviews: ['catalogue', 'support'],
  returns: ['orders', 'support'],
  messaging: ['orders', 'support'],
  b2b: ['orders', 'support'],
  webhooks: [],
  store: ['catalogue', 'orders', 'support'],
  ingestion: ['catalogue'],
};
const WRITERS: Readonly<Record<string, readonly StaffRole[]>> = {
  catalog: ['catalogue'],
  orders: ['orders'],
  customers: ['orders', 'support'],
  payments: ['orders'],
  promotions: ['catalogue'],
  shipping: ['orders'],
  content: ['catalogue'],
  reviews: ['support'],
  returns: ['orders', 'support'],
  messaging: ['support'],
  b2b: ['orders'],
  webhooks: [],
  store: [],
  ingestion: ['catalogue'],
};

const rolesOf = (scope: string): readonly StaffRole[] => {
  if (scope === '') return ['owner'];
  const [resource = '', use] = scope.split(':');
  return use === 'read'
    ? ['owner', 'manager', ...READERS[resource]!, 'analyst']
    : ['owner', 'manager', ...WRITERS[resource]!];
};

const ROLES: readonly StaffRole[] = ['owner', 'manager', 'catalogue', 'orders', 'support', 'analyst'];
const OPENED = routes.filter(({ access }) => access.key !== 'none' && access.key !== 'operator');

let stoa: Stoa;
let keys: Keys;
const staff = new Map<StaffRole, Member>();
beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore({ wholesale: true, plan: 'enterprise' });
  for (const role of ROLES) staff.set(role, await join(stoa, keys, role));
});
afterAll(() => stoa.stop());

test('the tables name every resource', () => {
  for (const table of [READERS, WRITERS]) expect(Object.keys(table)).toEqual([...RESOURCES]);
});

/** A body that is no JSON: only a caller with access gets the error about it. */
const ask = async ({ verb, path, access, ends_session }: Route, { email, cookie }: Member): Promise<Reply> =>
  dashboard(stoa, verb, path.replace(/:slug/g, 'nothing').replace(/:\w+/g, ID), {
    cookie: ends_session ? await enter(stoa, email) : cookie,
    environment: access.key === 'secret_test' ? 'sandbox' : 'production',
    ...(verb === 'GET' || verb === 'DELETE' ? {} : { body: '{' }),
  });

describe.each(OPENED.map((route) => [route.verb, route.path, route] as const))('%s %s', (_verb, _path, route) => {
  const { key, scope } = route.access;
  const able = key === 'staff' ? ROLES : rolesOf(scope);

  test(`opens to ${able.join(', ')} alone`, async () => {
    for (const role of ROLES) {
      const { status, body } = await ask(route, staff.get(role)!);
      if (able.includes(role))
        expect([401, 403, 429], `${role} ${JSON.stringify(body)}`).not.toContain(ownStatus(route, status));
      else {
        expect([status, body.error.code], role).toEqual([403, 'forbidden']);
        for (const other of ROLES)
          expect(body.error.hint.includes(other), `${role} ${body.error.hint}`).toBe(able.includes(other));
      }
    }
  });
});

/** Endpoints of shoppers alone answer a role that they admit with 401, for the missing customer session. */
const ownStatus = ({ access }: Route, status: number): number =>
  status === 401 && access.session === 'customer' ? 400 : status;

test('a session of a role reads no more than a secret key of its environment', async () => {
  const analyst = staff.get('analyst')!;
  const own = await dashboard(stoa, 'GET', '/v1/store', { cookie: analyst.cookie });
  const keyed = await stoa.send('GET', '/v1/store', { key: keys.secret_key });
  expect(own.body).toEqual(keyed.body);
});
