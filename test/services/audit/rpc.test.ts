// The audit log over HTTP: its filters and pages, every kind of actor, and writes that leave no record.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import type { AuditRecord } from '#proto/gen/audit_log.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { connectUnary } from '#runtime/grpc/unary.ts';
import { connected } from '#test/services/connect/flow.ts';
import { dashboard, join } from '#test/services/staff/client.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const done = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};
const write = (method: string, path: string, body?: unknown, key = keys.secret_key): Promise<Reply['body']> =>
  done(stoa.send(method, path, { key, ...(body === undefined ? {} : { body }) }));
const sign = (method: string, path: string, body: unknown): Promise<Reply['body']> =>
  done(stoa.send(method, path, { key: keys.secret_key, signWith: keys.hmac_secret, body }));
const log = async (query = '', key = keys.secret_key): Promise<AuditRecord[]> =>
  (await done(stoa.send('GET', `/v1/audit-log?${query}`, { key }))).audit_log;
const newest = async (key = keys.secret_key): Promise<AuditRecord> => (await log('limit=1', key))[0]!;
const operations = (records: readonly AuditRecord[]): string[] => records.map(({ operation }) => operation);

describe('a list', () => {
  test('filters by actor, type, record and time, newest first', async () => {
    const other = (await sign('POST', '/v1/keys', { name: 'Till', type: 'secret', environment: 'production' })).key;
    const rate = (await write('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 })).tax_rate;
    await write('PATCH', `/v1/tax-rates/${rate.id}`, { rate: 0.14 }, other.secret);
    const [changed, created] = await log(`resource=tax_rate:${rate.id}`);
    expect([changed, created]).toMatchObject([
      { operation: 'updateTaxRate', before: { rate: 0.16 }, after: { rate: 0.14 }, actor: { name: 'Till' } },
      { operation: 'createTaxRate', before: null, after: { name: 'VAT', rate: 0.16 } },
    ]);
    expect(await log('resource=tax_rate')).toEqual([changed, created]);
    expect(await log(`actor=${other.id}`)).toEqual([changed]);
    expect(await log(`actor=${other.id}&resource=promotion`)).toEqual([]);
    const [from, to] = [created!.created_at, changed!.created_at];
    const between = await log(`resource=tax_rate&from=${from}&to=${new Date(Date.parse(to) + 1).toISOString()}`);
    expect(between).toEqual([changed, created]);
    expect(await log(`resource=tax_rate&from=${new Date(Date.parse(to) + 1).toISOString()}`)).toEqual([]);
    expect(await log(`resource=tax_rate&to=${from}`)).toEqual([]);
  });

  test('pages without gaps, and cuts records to named fields', async () => {
    for (let count = 0; count < 5; count++) await write('POST', '/v1/categories', { name: `Lamps ${count}` });
    const all = await log('resource=category&limit=100');
    const seen: string[] = [];
    for (let query = 'resource=category&limit=2'; ; ) {
      const { audit_log: page, pagination } = await done(
        stoa.send('GET', `/v1/audit-log?${query}`, { key: keys.secret_key }),
      );
      seen.push(...page.map(({ id }: AuditRecord) => id));
      if (pagination.next_cursor === null) break;
      query = `resource=category&limit=2&cursor=${pagination.next_cursor}`;
      const foreign = await stoa.send('GET', `/v1/audit-log?limit=2&cursor=${pagination.next_cursor}`, {
        key: keys.secret_key,
      });
      expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
    }
    expect(seen).toEqual(all.map(({ id }) => id));
    expect(await log('resource=category&limit=1&fields=operation,resource.id')).toEqual([
      { operation: 'createCategory', resource: { id: all[0]!.resource.id } },
    ]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['actor=', 'actor'],
    ['resource=', 'resource'],
    ['from=yesterday', 'from'],
    ['to=2026-13-01T00:00:00Z', 'to'],
    ['from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z', 'to'],
    ['cursor=AAAA', 'cursor'],
  ])('refuses %s', async (query, param) => {
    const { status, body } = await stoa.send('GET', `/v1/audit-log?${query}`, { key: keys.secret_key });
    expect([status, body.error.param]).toEqual([400, param]);
  });

  test('opens to no publishable key, to no other verb, and shows no other tenant', async () => {
    await write('POST', '/v1/categories', { name: 'Chairs' });
    expect((await stoa.send('GET', '/v1/audit-log', { key: keys.publishable_key })).status).toBe(403);
    for (const verb of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await stoa.send(verb, '/v1/audit-log', { key: keys.secret_key })).status).toBe(405);
    expect(await log('', keys.secret_test_key)).toEqual([]);
    const other = await stoa.createStore();
    expect(await log('', other.secret_key)).toEqual([]);
    const { next_cursor } = (await done(stoa.send('GET', '/v1/audit-log?limit=1', { key: keys.secret_key })))
      .pagination;
    const foreign = await stoa.send('GET', `/v1/audit-log?limit=1&cursor=${next_cursor}`, { key: other.secret_key });
    expect(foreign.status).toBe(400);
  });
});

describe('a record', () => {
  test('names an app and its grant', async () => {
    const scopes = ['catalog:write', 'store:read'];
    const { tokens } = await connected(stoa, keys, { scopes });
    await write('POST', '/v1/categories', { name: 'By an app' }, tokens.access_token);
    const { grants } = await done(stoa.send('GET', '/v1/connect/grants', { key: keys.secret_key }));
    const record = await newest(tokens.access_token);
    expect(record.actor).toEqual({ kind: 'app', id: grants[0].id, name: 'Parcel Planner' });
    expect(await log(`actor=${grants[0].id}`)).toEqual([record]);
    const limited = await connected(stoa, keys, { scopes: ['catalog:read'] });
    expect((await stoa.send('GET', '/v1/audit-log', { key: limited.tokens.access_token })).status).toBe(403);
  });

  test('names a person of the staff, also for their own password', async () => {
    const member = await join(stoa, keys, 'manager');
    const { staff } = await done(stoa.send('GET', '/v1/staff', { key: keys.secret_key }));
    const { name } = staff.find(({ id }: { id: string }) => id === member.id);
    await done(dashboard(stoa, 'POST', '/v1/categories', { cookie: member.cookie, body: { name: 'By a person' } }));
    const actor = { kind: 'staff', id: member.id, name };
    expect(await newest()).toMatchObject({ actor, operation: 'createCategory' });
    await done(
      dashboard(stoa, 'POST', '/v1/staff/session/password', {
        cookie: member.cookie,
        body: { current_password: 'correct horse battery', new_password: 'another horse battery' },
      }),
    );
    const changed = await newest();
    expect(changed).toMatchObject({ actor, resource: { type: 'staff', id: member.id } });
    expect(JSON.stringify(changed)).not.toContain('horse battery');
    await write('PATCH', `/v1/staff/${member.id}`, { role: 'support' });
    expect(await newest()).toMatchObject({ before: { role: 'manager' }, after: { role: 'support' } });
  });

  test('names the system’s user on the command line, or another program', async () => {
    const contract = new ServiceRegistry(descriptors);
    const command = connectUnary(stoa.services.address, '', contract, 'wanjiru');
    const program = connectUnary(stoa.services.address, '', contract);
    try {
      const own = ok(await command.call<Keys>('StoreAdmin/CreateStore', NO_TENANT, { name: 'Own', currency: 'KES' }));
      ok(await command.call('StoreAdmin/SetPlan', NO_TENANT, { store: own.code, plan: 'growth' }));
      const actor = { kind: 'command_line', id: null, name: 'wanjiru' };
      const [planned, created] = await log('', own.secret_key);
      expect(planned).toMatchObject({
        actor,
        operation: 'StoreAdmin/SetPlan',
        endpoint: null,
        resource: { type: 'store', id: own.store_id },
        before: { plan: 'starter' },
        after: { plan: 'growth' },
        address: null,
      });
      expect(created).toMatchObject({ actor, operation: 'StoreAdmin/CreateStore', after: { name: 'Own' } });
      const rotated = ok(
        await command.call<{ value: string }>('StoreAdmin/RotateKeys', NO_TENANT, {
          store: own.code,
          kind: 'hmac',
          environment: 'sandbox',
        }),
      );
      const [replaced] = await log('', own.secret_test_key);
      expect(replaced).toMatchObject({ operation: 'StoreAdmin/RotateKeys', after: { replaced: 'hmac' } });
      expect(JSON.stringify(replaced)).not.toContain(rotated.value);
      const tenant = { store: own.store_id, environment: 'production' } as const;
      ok(await program.call('Category/CreateCategory', tenant, { name: 'By a program' }));
      ok(await program.call('Category/ListCategories', tenant, {}));
      expect(await log('limit=1', own.secret_key)).toMatchObject([
        { actor: { kind: 'program', id: null, name: null }, operation: 'createCategory' },
      ]);
    } finally {
      command.close();
      program.close();
    }
  });
});

describe('no record', () => {
  test('comes of a shopper’s write, of a refused one, or of a read', async () => {
    const store = await stoa.createStore();
    const key = store.secret_key;
    const product = await write('POST', '/v1/products', { name: 'Mug', price: 4, stock: 9 }, key);
    const before = await log('', key);
    const session = { 'X-Session-Id': randomUUID() };
    const item = { variant_id: product.variant_id, quantity: 1 };
    await done(stoa.send('POST', '/v1/cart/items', { key: store.publishable_key, body: item, headers: session }));
    const account = { email: `${store.code}@example.com`, password: 'correct horse battery' };
    const signedUp = await write('POST', '/v1/auth/register', account, key);
    const own = { key, headers: { 'x-auth-token': signedUp.session.access_token } };
    await done(stoa.send('PATCH', `/v1/customers/${signedUp.customer.id}`, { ...own, body: { first_name: 'Ada' } }));
    const customer_id = signedUp.customer.id;
    await done(stoa.send('POST', '/v1/cart/items', { ...own, body: { ...item, customer_id } }));
    await done(
      stoa.send('POST', '/v1/wishlist/items', { ...own, body: { customer_id, variant_id: product.variant_id } }),
    );
    await done(stoa.send('POST', '/v1/messaging/threads', { ...own, body: { subject: 'Size', body: 'Which?' } }));
    expect((await stoa.send('POST', '/v1/products', { key, body: { name: '' } })).status).toBe(400);
    expect((await stoa.send('DELETE', `/v1/tax-rates/${randomUUID()}`, { key })).status).toBe(404);
    await done(stoa.send('POST', '/v1/search', { key, body: { query: 'mug' } }));
    expect(await log('', key)).toEqual(before);
    // The journal has a cart's records in order: none of the shopper's is on its way.
    await done(stoa.send('POST', '/v1/cart/items', { key, body: item, headers: session }));
    await eventually(async () => {
      const [newest, ...rest] = await log('', key);
      expect([newest?.operation, rest]).toEqual(['addCartItem', before]);
    });
    expect(operations(before)).toEqual(['createProduct']);
  });
});

describe('a change', () => {
  test('shows only the changed items of a list', async () => {
    const product = await write('POST', '/v1/products', {
      name: 'Tee',
      description: 'x'.repeat(5_000),
      variants: ['S', 'M', 'L'].map((size) => ({ price: 10, stock: 1, variant_attributes: { size } })),
    });
    const [small] = product.variants;
    await write('PATCH', `/v1/products/${product.id}/variants/${small.variant_id}`, { price: 12 });
    const record = await newest();
    expect(record.resource).toEqual({ type: 'product', id: product.id });
    expect(record.after).toMatchObject({ variants: [{ variant_id: small.variant_id, price: 12 }] });
    expect(record.before).toMatchObject({ variants: [{ variant_id: small.variant_id, price: 10 }] });
  });

  test('cuts long values and says so', async () => {
    const product = await write('POST', '/v1/products', { name: 'Long', price: 1, description: 'a'.repeat(9_000) });
    await write('PATCH', `/v1/products/${product.id}`, { description: 'b'.repeat(9_000) });
    const record = await newest();
    expect(record.shortened).toBe(true);
    expect(JSON.stringify(record).length).toBeLessThan(8_192);
    expect(record.after!.description).toMatch(/^b{900,}…$/);
  });

  test('hides personal values of a customer, and names the customer', async () => {
    const { customer } = await write('POST', '/v1/customers', { email: 'grace@example.com', first_name: 'Grace' });
    await write('PUT', `/v1/customers/${customer.id}/group`, { group: 'trade' });
    const records = await log(`resource=customer:${customer.id}`);
    expect(operations(records)).toEqual(['setCustomerGroup', 'createCustomer']);
    expect(records[0]).toMatchObject({ before: { group: null }, after: { group: 'trade' } });
    expect(records[1]!.after).toMatchObject({ email: '…', first_name: '…' });
    expect(JSON.stringify(records)).not.toMatch(/grace/i);
  });

  test('attributes each of several simultaneous changes to its own author', async () => {
    const { promotion } = await write('POST', '/v1/promotions', { name: 'Sale', type: 'percentage', value: 10 });
    const changes = Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? { name: `Sale ${at}` } : { value: 10 + at }));
    await Promise.all(changes.map((body) => write('PATCH', `/v1/promotions/${promotion.id}`, body)));
    const records = await log(`resource=promotion:${promotion.id}`);
    const after = records.slice(0, changes.length).map((record) => JSON.stringify(record.after));
    expect(after.sort()).toEqual(changes.map((change) => JSON.stringify(change)).sort());
  });
});
