// Which role of a store's staff opens which endpoint: every row of the route table with a session of every role.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { RESOURCES } from '#services/commerce/scope.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';
import { dashboard, join, type Member } from '#test/services/staff/client.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';
import { askAs, ownStatus, READERS, ROLES, rolesOf, WRITERS } from './role_scope.ts';

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

describe.each(OPENED.map((route) => [route.verb, route.path, route] as const))('%s %s', (_verb, _path, route) => {
  const { key, scope } = route.access;
  const able = key === 'staff' ? ROLES : rolesOf(scope);

  test(`opens to ${able.join(', ')} alone`, async () => {
    for (const role of ROLES) {
      const { status, body } = await askAs(stoa, route, staff.get(role)!);
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

test('a session of a role reads no more than a secret key of its environment', async () => {
  const analyst = staff.get('analyst')!;
  const own = await dashboard(stoa, 'GET', '/v1/store', { cookie: analyst.cookie });
  const keyed = await stoa.send('GET', '/v1/store', { key: keys.secret_key });
  expect(own.body).toEqual(keyed.body);
});
