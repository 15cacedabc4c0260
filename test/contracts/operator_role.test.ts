// Which role of a marketplace operator's staff opens which endpoint: every row of the route table with a session of every
// role, for the operator itself and for one of its merchants.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';
import { join, type Member } from '#test/services/staff/client.ts';
import { openMember, openOperator } from '#test/support/marketplace.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { askAs, ROLES, rolesOf } from './role_scope.ts';

const OWN = routes.filter(({ access }) => access.operator);
const FOR_MERCHANTS = routes.filter(({ access }) => access.merchant && access.key !== 'none');
const CLOSED = routes.filter(
  ({ access }) => !(access.operator || access.merchant) && !['none', 'staff'].includes(access.key),
);
/** Endpoints of shoppers, which answer 401 without the session of a customer. */
const NEEDS_SHOPPER = [401, 403];

let stoa: Stoa;
let merchant: string;
const staff = new Map<StaffRole, Member>();
beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  merchant = (await openMember(stoa, { store: { wholesale: true } })).store;
  const { operator_key: secret_key } = await openOperator(stoa, [merchant]);
  for (const role of ROLES) staff.set(role, await join(stoa, { secret_key }, role));
});
afterAll(() => stoa.stop());

const named = (rows: typeof routes) => rows.map((route) => [route.verb, route.path, route] as const);

describe.each(named(OWN))('%s %s for the operator itself', (_verb, _path, route) => {
  const able = rolesOf(route.access.scope);

  test(`opens to ${able.join(', ')} alone`, async () => {
    for (const role of ROLES) {
      const { status, body } = await askAs(stoa, route, staff.get(role)!);
      // The profile of a shopper is read with the shopper's own token.
      if (able.includes(role)) expect([403, 429], `${role} ${JSON.stringify(body)}`).not.toContain(status);
      else expect([status, body.error.code], role).toEqual([403, 'forbidden']);
    }
  });
});

describe.each(named(FOR_MERCHANTS))('%s %s for a merchant', (_verb, _path, route) => {
  const able = rolesOf(route.access.scope);

  test(`opens to ${able.join(', ')} alone, as it does to shoppers`, async () => {
    for (const role of ROLES) {
      const reply = await askAs(stoa, route, staff.get(role)!, `?store_id=${merchant}`);
      const { status, body } = reply;
      if (!able.includes(role)) expect([status, body.error.code], role).toEqual([403, 'forbidden']);
      else if (route.access.session === 'customer') expect(NEEDS_SHOPPER, role).toContain(status);
      else expect([403, 429], `${role} ${JSON.stringify(body)}`).not.toContain(status);
    }
  });
});

describe.each(named(CLOSED))('%s %s', (_verb, _path, route) => {
  test('stays closed to every role of an operator', async () => {
    for (const role of ROLES)
      for (const query of ['', `?store_id=${merchant}`])
        expect((await askAs(stoa, route, staff.get(role)!, query)).status, role).toBe(403);
  });
});
