// Accounts over HTTP: what merchants and customers read and change, and the events of each change.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import {
  auth,
  clock,
  closeShop,
  errorOf,
  keys,
  login,
  me,
  newCustomer,
  newEmail,
  openShop,
  other,
  PASSWORD,
  refresh,
  register,
  statusOf,
  stoa,
} from '#test/services/customer/client.ts';
import { dashboard, join } from '#test/services/staff/client.ts';
import { subscribeEvents, untyped } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

beforeAll(openShop);
afterAll(closeShop);

const call = (method: string, path: string, body?: unknown, key = keys.secret_key): Promise<Reply> =>
  stoa.send(method, path, { key, ...(body === undefined ? {} : { body }) });
const asShopper = (method: string, path: string, token: string, body?: unknown, key = keys.publishable_key) =>
  stoa.send(method, path, { key, headers: { 'x-auth-token': token }, ...(body === undefined ? {} : { body }) });
const create = async (body: Record<string, unknown> = {}, key = keys.secret_key) => {
  const { status, body: made, text } = await call('POST', '/v1/customers', { email: newEmail(), ...body }, key);
  expect(status, text).toBe(201);
  return made.customer;
};

/** Collects the events of customers published from now on. */
const listen = (type: string) => {
  const events: EventEnvelope[] = [];
  subscribeEvents(stoa.services.runtime, (event, { store, environment }) => {
    if (store === keys.store_id && environment === 'production' && event.type === type) events.push(event);
  });
  return async (id: string) =>
    eventually(() => {
      const found = events.filter(({ data }) => untyped(data.object).id === id);
      expect(found).toHaveLength(1);
      return found[0]!;
    });
};

const HOME = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'ke' };

describe('POST /v1/customers', () => {
  test('adds a customer without a password and emits customer.created', async () => {
    const eventOf = listen('customer.created');
    const email = newEmail();
    const customer = await create({
      email: email.toUpperCase(),
      external_id: 'crm-1',
      first_name: 'Ada',
      phone: null,
      group: 'wholesale',
      addresses: [HOME],
      metadata: { crm: 'yes' },
      id: '00000000-0000-4000-8000-000000000000',
    });
    const now = clock.now({ store: keys.store_id, environment: 'production' }).toISOString();
    expect(customer).toEqual({
      id: expect.any(String),
      external_id: 'crm-1',
      email,
      first_name: 'Ada',
      last_name: null,
      phone: null,
      group: 'wholesale',
      addresses: [expect.objectContaining({ ...HOME, country: 'KE', line2: null, latitude: null })],
      metadata: { crm: 'yes' },
      language: null,
      created_at: now,
      updated_at: now,
    });
    expect(customer.id).not.toBe('00000000-0000-4000-8000-000000000000');
    expect((await eventOf(customer.id)).data.object).toEqual(customer);
    expect(await statusOf(login(email))).toBe(401);
  });

  test('answers 409 for an address or external_id of another customer of the tenant', async () => {
    const { email } = await create({ external_id: 'crm-2' });
    expect(errorOf(await call('POST', '/v1/customers', { email: email.toUpperCase() }))).toEqual([
      409,
      'conflict',
      'email',
    ]);
    expect(errorOf(await register({ email, password: PASSWORD }))).toEqual([409, 'conflict', 'email']);
    const again = { email: newEmail(), external_id: 'crm-2' };
    expect(errorOf(await call('POST', '/v1/customers', again))).toEqual([409, 'conflict', 'external_id']);
    for (const key of [keys.secret_test_key, other.secret_key]) await create({ email, external_id: 'crm-2' }, key);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ email: undefined }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ first_name: 'x'.repeat(101) }, 'first_name'],
    [{ group: '' }, 'group'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ metadata: { a: 'x'.repeat(501) } }, 'metadata.a'],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, ''])) }, 'metadata'],
    [{ addresses: [{ ...HOME, country: 'XX' }] }, 'addresses[0].country'],
    [{ addresses: [HOME, { line1: 'a', country: 'KE' }] }, 'addresses[1].city'],
    [{ addresses: [{ ...HOME, longitude: 36.8 }] }, 'addresses[0].latitude'],
    [{ addresses: {} }, 'addresses'],
  ])('of %j is 400', async (body, param) => {
    const reply = await call('POST', '/v1/customers', { email: newEmail(), ...body });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', param]);
  });
});

test('stores a customer’s language as its tag, lets the customer change it, and refuses what is no tag', async () => {
  const bare = await create();
  expect(bare.language).toBeNull();
  const { customer, session } = (await register({ email: newEmail(), password: PASSWORD, language: 'PT-br' })).body;
  expect(customer.language).toBe('pt-BR');
  const change = (language: unknown) =>
    asShopper('PATCH', `/v1/customers/${customer.id}`, session.access_token, { language });
  expect((await change('de-at')).body.customer.language).toBe('de-AT');
  expect(errorOf(await change('klingon'))).toEqual([400, 'invalid_request', 'language']);
  const path = `/v1/customers/${customer.id}`;
  const { body: renamed } = await asShopper('PATCH', path, session.access_token, { first_name: 'Ada' });
  expect(renamed.customer.language).toBe('de-AT');
  expect((await change(null)).body.customer.language).toBeNull();
  expect(errorOf(await call('POST', '/v1/customers', { email: newEmail(), language: '*' }))).toEqual([
    400,
    'invalid_request',
    'language',
  ]);
});

describe('GET /v1/customers', () => {
  test('lists a tenant’s own customers, newest first, in pages', async () => {
    const { secret_key: key } = await stoa.createStore();
    const made: string[] = [];
    for (let at = 0; at < 5; at++) {
      if (at !== 2) clock.advance(1);
      made.unshift((await create({ group: at % 2 ? 'odd' : 'even' }, key)).id);
    }
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await call('GET', `/v1/customers?limit=2${cursor && `&cursor=${cursor}`}`, undefined, key);
      seen.push(...body.customers.map(({ id }: { id: string }) => id));
      cursor = body.pagination.next_cursor ?? '';
    } while (cursor);
    expect([...seen].sort()).toEqual([...made].sort());
    expect([seen[0], seen[4]].every((id) => id !== undefined)).toBe(true);
    const odd = await call('GET', '/v1/customers?group=odd&fields=id,group', undefined, key);
    expect((await call('GET', '/v1/customers?group=%20ODD&fields=id,group', undefined, key)).body).toEqual(odd.body);
    expect(odd.body.customers).toEqual([
      { id: made[1], group: 'odd' },
      { id: made[3], group: 'odd' },
    ]);
    const foreign = await call('GET', '/v1/customers?limit=1', undefined, other.secret_key);
    expect(foreign.body.customers.some(({ id }: { id: string }) => made.includes(id))).toBe(false);
  });

  test('finds a customer by address in any letter case', async () => {
    const { email, id } = await create();
    const find = async (text: string) => (await call('GET', `/v1/customers?email=${text}`)).body.customers;
    expect((await find(email.toUpperCase())).map((each: { id: string }) => each.id)).toEqual([id]);
    expect(await find(newEmail())).toEqual([]);
    expect(errorOf(await call('GET', '/v1/customers?cursor=nonsense'))).toEqual([400, 'invalid_request', 'cursor']);
  });

  test('searches by how the address, the whole name and the last name begin', async () => {
    const mark = randomUUID().slice(0, 8);
    const ada = await create({ first_name: `Ada${mark}`, last_name: `Lovelace${mark}`, email: `${mark}@example.com` });
    const grace = await create({ first_name: `Grace${mark}`, email: `g_${mark}@example.com` });
    const found = async (search: string): Promise<string[]> =>
      (await call('GET', `/v1/customers?search=${encodeURIComponent(search)}`)).body.customers.map(
        ({ id }: { id: string }) => id,
      );
    for (const search of [`${mark}@`, `ADA${mark}`, `ada${mark} love`, ` lovelace${mark}`])
      expect([search, await found(search)]).toEqual([search, [ada.id]]);
    expect(await found(`grace${mark}`)).toEqual([grace.id]);
    // Signs that have a meaning in patterns stand for themselves.
    for (const search of [`g%${mark}`, `g__${mark}`, `race${mark}`, '%'])
      expect([search, await found(search)]).toEqual([search, []]);
    expect(await found(`g_${mark}`)).toEqual([grace.id]);
    expect(errorOf(await call('GET', '/v1/customers?search='))).toEqual([400, 'invalid_request', 'search']);
  });

  test('closes the list and other customers to a publishable key', async () => {
    const { id } = await create();
    for (const [method, path] of [
      ['GET', '/v1/customers'],
      ['POST', '/v1/customers'],
      ['DELETE', `/v1/customers/${id}`],
      ['PUT', `/v1/customers/${id}/group`],
    ] as const)
      expect(await statusOf(call(method, path, method === 'GET' ? undefined : {}, keys.publishable_key))).toBe(403);
  });
});

describe('a customer', () => {
  test('reads their own account with either key, and no other', async () => {
    const [mine, theirs] = [await newCustomer(), await newCustomer()];
    for (const key of [keys.publishable_key, keys.secret_key]) {
      const { status, body } = await asShopper('GET', `/v1/customers/${mine.id}`, mine.access, undefined, key);
      expect([status, body.customer.email]).toEqual([200, mine.email]);
      expect(await statusOf(asShopper('GET', `/v1/customers/${theirs.id}`, mine.access, undefined, key))).toBe(403);
      expect(await statusOf(call('GET', `/v1/customers/${mine.id}`, undefined, key))).toBe(401);
    }
    const upper = await asShopper('GET', `/v1/customers/${mine.id.toUpperCase()}?fields=id`, mine.access);
    expect([upper.status, upper.body]).toEqual([200, { customer: { id: mine.id } }]);
    expect(await statusOf(asShopper('GET', '/v1/customers/unknown', mine.access))).toBe(403);
    expect(
      await statusOf(asShopper('GET', `/v1/customers/${mine.id}`, mine.access, undefined, other.publishable_key)),
    ).toBe(401);
  });

  test('opens to staff of the dashboard, who act as the store', async () => {
    const { id } = await create({ first_name: 'Ada' });
    const path = `/v1/customers/${id}`;
    const { cookie } = await join(stoa, keys, 'support');
    const read = await dashboard(stoa, 'GET', path, { cookie });
    expect([read.status, read.body.customer]).toEqual([200, expect.objectContaining({ id, first_name: 'Ada' })]);
    const body = { phone: '+254700000000', group: 'wholesale' };
    const changed = await dashboard(stoa, 'PATCH', path, { cookie, body });
    expect([changed.status, changed.body.customer]).toEqual([
      200,
      expect.objectContaining({ phone: '+254700000000', group: null }),
    ]);
    expect((await dashboard(stoa, 'GET', path, { cookie: (await join(stoa, other, 'owner')).cookie })).status).toBe(
      404,
    );
    const [record] = (await call('GET', `/v1/audit-log?resource=customer:${id}&limit=1`)).body.audit_log;
    expect(record).toMatchObject({ actor: { kind: 'staff' }, operation: 'updateCustomer' });
  });

  test('changes their own account, except for the merchant’s fields', async () => {
    const eventOf = listen('customer.updated');
    const { id, access, email } = await newCustomer();
    const { status, body } = await asShopper('PATCH', `/v1/customers/${id}`, access, {
      first_name: 'Grace',
      addresses: [HOME],
      metadata: { shoe: '42' },
      group: 'wholesale',
      external_id: 'mine',
      id: '00000000-0000-4000-8000-000000000000',
      created_at: 'then',
    });
    expect([status, body.customer]).toEqual([
      200,
      expect.objectContaining({
        id,
        email,
        first_name: 'Grace',
        group: null,
        external_id: null,
        metadata: { shoe: '42' },
      }),
    ]);
    expect((await me(access)).body.customer).toEqual(body.customer);
    const event = await eventOf(id);
    expect(event.data.object).toEqual(body.customer);
    expect(event.previous_attributes).toEqual({ first_name: null, addresses: [], metadata: {} });
    const cleared = await asShopper('PATCH', `/v1/customers/${id}`, access, { first_name: null, addresses: [] });
    expect(cleared.body.customer).toMatchObject({ first_name: null, addresses: [], metadata: { shoe: '42' } });
  });

  test('moves to another free address and signs in with it', async () => {
    const [mover, owner] = [await newCustomer(), await newCustomer()];
    const email = newEmail();
    const move = (to: string) => asShopper('PATCH', `/v1/customers/${mover.id}`, mover.access, { email: to });
    expect(errorOf(await move(owner.email.toUpperCase()))).toEqual([409, 'conflict', 'email']);
    expect(errorOf(await move('nowhere'))).toEqual([400, 'invalid_request', 'email']);
    expect((await move(email.toUpperCase())).body.customer.email).toBe(email);
    expect([await statusOf(login(email)), await statusOf(login(mover.email))]).toEqual([200, 401]);
  });

  test('refuses a change by another customer or without a session', async () => {
    const [mine, theirs] = [await newCustomer(), await newCustomer()];
    const path = `/v1/customers/${mine.id}`;
    expect(await statusOf(asShopper('PATCH', path, theirs.access, { first_name: 'Eve' }))).toBe(403);
    expect(await statusOf(call('PATCH', path, { first_name: 'Eve' }))).toBe(401);
    expect((await me(mine.access)).body.customer.first_name).toBeNull();
  });
});

describe('PUT /v1/customers/:id/group', () => {
  test('sets and clears a group, emits the change, and prices follow at once', async () => {
    const eventOf = listen('customer.updated');
    const { id } = await create();
    const product = await call('POST', '/v1/products', { name: 'Mug', price: 10 });
    await call('POST', '/v1/price-lists', {
      name: 'Trade',
      customer_group: 'trade',
      prices: [{ variant_id: product.body.variant_id, price: 7 }],
    });
    const price = async (): Promise<number> => {
      const items = [{ variant_id: product.body.variant_id, quantity: 1 }];
      return (await call('POST', '/v1/pricing/query', { items, customer_id: id })).body.total;
    };
    expect(await price()).toBe(10);
    const { status, body } = await call('PUT', `/v1/customers/${id}/group`, { group: 'trade' });
    expect([status, body.customer.group]).toEqual([200, 'trade']);
    await eventually(async () => expect(await price()).toBe(7));
    expect((await eventOf(id)).previous_attributes).toEqual({ group: null });
    expect((await call('PUT', `/v1/customers/${id}/group`, { group: null })).body.customer.group).toBeNull();
    await eventually(async () => expect(await price()).toBe(10));
    expect(errorOf(await call('PUT', `/v1/customers/${id}/group`, {}))).toEqual([400, 'invalid_request', 'group']);
  });
});

describe('DELETE /v1/customers/:id', () => {
  test('ends the account and its sessions, frees the address, and emits customer.deleted', async () => {
    const eventOf = listen('customer.deleted');
    const { id, email, access, refresh: token } = await newCustomer();
    expect(await statusOf(me(access))).toBe(200);
    const { status, body } = await call('DELETE', `/v1/customers/${id}`);
    expect([status, body]).toEqual([200, { deleted: true, id }]);
    expect(await statusOf(me(access))).toBe(401);
    expect([await statusOf(refresh(token)), await statusOf(login(email))]).toEqual([401, 401]);
    expect((await call('GET', `/v1/customers?email=${email}`)).body.customers).toEqual([]);
    expect((await eventOf(id)).data.object).toMatchObject({ id, email });
    expect(await statusOf(call('DELETE', `/v1/customers/${id}`))).toBe(404);
    expect(await statusOf(call('PUT', `/v1/customers/${id}/group`, { group: 'x' }))).toBe(404);
    const again = await register({ email, password: PASSWORD });
    expect([again.status, again.body.customer.id === id]).toEqual([201, false]);
  });

  test('deletes no customer of another tenant', async () => {
    const { id, access } = await newCustomer();
    for (const key of [keys.secret_test_key, other.secret_key])
      expect(await statusOf(call('DELETE', `/v1/customers/${id}`, undefined, key))).toBe(404);
    expect(await statusOf(me(access))).toBe(200);
    expect(await statusOf(auth('POST', '/v1/auth/logout', { token: access }))).toBe(200);
  });
});
