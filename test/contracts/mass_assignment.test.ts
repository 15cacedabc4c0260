// Tests that fields which no body of an endpoint has are without effect: the read-only fields of its answer, the tenant's,
// and keys that every object inherits.
import { beforeAll, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { BODIES } from './body.ts';
import type { Owner } from './owner.ts';
import { pathOf, secretOf } from './target.ts';
import { hostedRoutes, openOwner } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

const MARK = 'forged-by-a-caller';
const FORGED_NUMBER = 987_654_321;

/** Fields of rows that no body names. */
const INTERNAL: Json = {
  id: MARK,
  store: MARK,
  store_id: MARK,
  environment: MARK,
  tenant: MARK,
  role: MARK,
  scopes: [MARK],
  created_at: '2001-02-03T04:05:06.000Z',
  is_admin: true,
};

/** Bodies of the endpoints that know a shopper. */
const SHOPPER_BODIES: Readonly<Record<string, unknown>> = {
  'PATCH /v1/cart': { currency: 'USD' },
  'PATCH /v1/customers/:id': { first_name: 'Ada' },
};
const SESSION = 'mass-assignment';

let stoa: Stoa;
/** Two owners with the same records: one sends plain bodies, the other one forged ones. */
let plain: Owner;
let forging: Owner;
/** Tokens of each owner's shopper. */
const tokens = new Map<string, string>();
beforeAll(async () => {
  stoa = await startStoa();
  plain = await openOwner(stoa, 'blackbird');
  forging = await openOwner(stoa, 'blackbird');
  for (const { keys } of [plain, forging]) {
    const account = { email: `${keys.code}@example.com`, password: 'correct horse battery' };
    const login = await stoa.send('POST', '/v1/auth/login', { key: keys.secret_key, body: account });
    tokens.set(keys.store_id, login.body.session.access_token);
  }
  return () => stoa.stop();
});

const nameOf = ({ verb, path }: Route): string => `${verb} ${path}`;

const bodyOf = (route: Route, owner: Owner): unknown =>
  SHOPPER_BODIES[nameOf(route)] ?? BODIES[nameOf(route)]?.(owner)[0];

const send = (route: Route, owner: Owner, body: unknown, query = ''): Promise<Reply> =>
  sendTo(stoa.url, route.verb, pathOf(route, owner) + query, {
    ...secretOf(route, owner),
    body,
    headers: {
      ...secretOf(route, owner).headers,
      'X-Session-Id': SESSION,
      ...(route.rpc.startsWith('Account/') && { 'X-Auth-Token': tokens.get(owner.keys.store_id)! }),
    },
  });

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const resourceOf = ({ envelope }: Route, { body }: Reply): Json => (envelope ? body[envelope] : body);

const TIME = /^\d{4}-\d\d-\d\dT/;

/** Returns another value of the same type. */
const forged = (value: unknown): unknown => {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return FORGED_NUMBER;
  if (typeof value === 'string') return TIME.test(value) ? INTERNAL.created_at : MARK;
  if (Array.isArray(value)) return value.length === 0 ? [MARK] : value.map(forged);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, forged(own)]));
  return MARK;
};

const writable = ({ request }: Route): readonly string[] => Object.keys(request.properties ?? {});

const patches = routes
  .filter(({ verb }) => verb === 'PATCH')
  // A line's answer is its whole cart, which the next test reads.
  .filter(({ rpc }) => rpc !== 'Cart/UpdateItem')
  .map((route) => [nameOf(route), route] as const);

test.each(patches)('%s changes no field that it does not take', async (_name, route) => {
  if (!hostedRoutes(stoa).includes(route)) return;
  const honest = await send(route, plain, bodyOf(route, plain));
  expect(honest.status, honest.text).toBe(200);
  const before = resourceOf(route, honest);
  const taken = writable(route);
  const readOnly = Object.keys(before).filter((name) => !taken.includes(name));
  const internal = Object.fromEntries(Object.entries(INTERNAL).filter(([name]) => !taken.includes(name)));
  const extra = { ...internal, ...Object.fromEntries(readOnly.map((name) => [name, forged(before[name])])) };
  const reply = await send(route, forging, { ...extra, ...(bodyOf(route, forging) as Json) });
  expect([200, 400], reply.text).toContain(reply.status);
  if (reply.status === 200) {
    const after = resourceOf(route, reply);
    for (const name of readOnly)
      if (typeof before[name] === 'boolean') expect([name, after[name]]).toEqual([name, before[name]]);
      else expect([name, after[name]]).not.toEqual([name, extra[name]]);
    expect(reply.text).not.toContain(MARK);
    expect(reply.text).not.toContain(String(FORGED_NUMBER));
    expect(reply.text).not.toContain('2001-02-03');
  }
});

test('a line of a cart keeps its price', async () => {
  const call = { key: plain.keys.publishable_key, headers: { 'X-Session-Id': `${SESSION}-line` } };
  const line = { variant_id: plain.records.variant, quantity: 1 };
  const prices = { unit_price: 0.01, price: 0.01, line_total: 0.01, original_price: 0.01, currency: 'JPY' };
  const added = await stoa.send('POST', '/v1/cart/items', { ...call, body: { ...line, ...prices } });
  expect(added.status, added.text).toBe(200);
  const [item] = added.body.cart.items;
  expect(item.unit_price).toBeGreaterThan(0.01);
  const path = `/v1/cart/items/${item.id}`;
  const changed = await stoa.send('PATCH', path, { ...call, body: { ...prices, quantity: 2 } });
  expect(changed.body.cart.items).toMatchObject([{ unit_price: item.unit_price, quantity: 2 }]);
  expect(changed.body.cart.subtotal).toBe(item.unit_price * 2);
});

/** Returns the tables of which a row holds the text. */
const tablesWith = async (text: string): Promise<readonly string[]> => {
  const { sql } = stoa.services.runtime.postgres;
  const tables = await sql<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  const queries = tables.map(({ name }) => `select '${name}' as name from ${name} t where t::text like $1`);
  const found = await sql.unsafe<{ name: string }[]>(queries.join(' union '), [`%${text}%`]);
  return found.map(({ name }) => name);
};

test('no row of the database holds a forged text', async () => {
  const name = 'written-by-its-field';
  const { category } = forging.records;
  await stoa.send('PATCH', `/v1/categories/${category}`, { key: forging.keys.secret_key, body: { name } });
  expect(await tablesWith(name)).toContain('catalog.category');
  expect(await tablesWith(MARK)).toEqual([]);
});

/** Returns the body with keys at every depth by which a careless merge would change every object. */
const polluting = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(polluting);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, own]) => `${JSON.stringify(name)}:${JSON.stringify(polluting(own))}`,
  );
  const keys = ['"__proto__":{"polluted":true}', '"constructor":{"prototype":{"polluted":true}}'];
  return JSON.parse(`{${[...members, ...keys].join(',')}}`);
};

const QUERY = '?__proto__[polluted]=1&__proto__.polluted=1&constructor[prototype][polluted]=1';

const bodies = routes
  .filter((route) => BODIES[nameOf(route)] && nameOf(route) !== 'POST /v1/media')
  // These take seconds on a loaded machine, and their bodies have one number at most.
  .filter((route) => !/^\/v1\/sandbox\/(reset|time-travel)$/.test(route.path))
  .map((route) => [nameOf(route), route] as const);

test.each(bodies)('%s lets no key reach the prototype of objects', async (_name, route) => {
  if (!hostedRoutes(stoa).includes(route)) return;
  const before = Object.getOwnPropertyNames(Object.prototype);
  const reply = await send(route, plain, polluting(bodyOf(route, plain)), QUERY);
  expect(reply.status, reply.text).toBeLessThan(500);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect({}).not.toHaveProperty('polluted');
});
