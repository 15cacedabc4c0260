// Staff of a marketplace operator over HTTP: their session has the operator's rights, for each merchant those of a shopper.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Call,
  dashboard,
  invite,
  join,
  type Member,
  newEmail,
  PASSWORD,
  signIn,
} from '#test/services/staff/client.ts';
import { type Member as Merchant, openMember, openOperator } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
let outsider: Merchant;
let operator: Awaited<ReturnType<typeof openOperator>>;
let owner: Member;
/** The operator's key invites as a store's secret key does. */
let inviting: { secret_key: string };
beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  [merchant, outsider] = [await openMember(stoa), await openMember(stoa)];
  operator = await openOperator(stoa, [merchant.store]);
  inviting = { secret_key: operator.operator_key };
  owner = await join(stoa, inviting, 'owner');
});
afterAll(() => stoa.stop());

const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
const asOwner = (method: string, path: string, call: Call = {}) =>
  dashboard(stoa, method, path, { cookie: owner.cookie, ...call });

describe('a session of an operator', () => {
  test('shows the operator in the place of a store', async () => {
    const { body } = await asOwner('GET', '/v1/staff/session');
    expect(body).toMatchObject({
      staff: { id: owner.id, role: 'owner', scopes: null },
      store: null,
      operator: { id: operator.operator_id, name: 'Mall' },
    });
    const named = await signIn(stoa, { email: owner.email, password: PASSWORD, store: operator.operator_id });
    expect(named.body.operator.id).toBe(operator.operator_id);
    const elsewhere = await signIn(stoa, { email: owner.email, password: PASSWORD, store: merchant.store });
    expect(elsewhere.status).toBe(401);
  });

  test('reads merchants and groups of orders, and administers the operator’s staff', async () => {
    const merchants = await asOwner('GET', '/v1/marketplace/merchants');
    expect(merchants.body.merchants.map(({ store_id }: { store_id: string }) => store_id)).toEqual([merchant.store]);
    expect((await asOwner('GET', '/v1/cart/checkout', { environment: 'sandbox' })).body.checkouts).toEqual([]);
    const invited = await asOwner('POST', '/v1/staff/invitations', { body: { email: newEmail(), role: 'analyst' } });
    expect(invited.status, invited.text).toBe(201);
    const { body } = await asOwner('GET', '/v1/staff');
    expect(body.staff.map(({ id }: { id: string }) => id)).toContain(owner.id);
    expect(errorOf(await asOwner('DELETE', `/v1/staff/${owner.id}`))).toEqual([409, 'conflict', undefined]);
  });

  test('writes under the person’s name into the operator’s own audit log', async () => {
    const body = { name: 'Rain', placement_kind: 'merchant', items: [{ merchant_store_id: merchant.store }] };
    expect((await asOwner('PUT', '/v1/marketplace/collections/rain', { body })).status).toBe(200);
    const log = await asOwner('GET', '/v1/audit-log?resource=marketplace_section:rain');
    expect(log.body.audit_log.map(({ actor }: { actor: object }) => actor)).toEqual([
      { kind: 'staff', id: owner.id, name: null },
    ]);
  });

  test('acts for a merchant as its shoppers do, and for no other store', async () => {
    const read = (path: string, environment: Call['environment'] = 'sandbox') => asOwner('GET', path, { environment });
    const { body } = await read(`/v1/products?store_id=${merchant.store}`);
    expect(body.products).toHaveLength(1);
    expect((await read('/v1/products')).body.products).toMatchObject([{ merchant_store_id: merchant.store }]);
    expect(errorOf(await read('/v1/categories'))).toEqual([400, 'invalid_request', 'store_id']);
    expect(errorOf(await read(`/v1/products?store_id=${outsider.store}`))).toEqual([404, 'not_found', 'store_id']);
    for (const path of ['/v1/orders', '/v1/webhook-endpoints', '/v1/keys', '/v1/reports/sales'])
      expect((await read(`${path}?store_id=${merchant.store}`, 'production')).status, path).toBe(403);
  });

  test('reads and changes no customer of a merchant, as the merchant’s own staff do', async () => {
    const made = await merchant.send('POST', '/v1/customers', { email: 'ada@example.com', first_name: 'Ada' });
    const { id } = made.body.customer;
    const path = `/v1/customers/${id}?store_id=${merchant.store}`;
    const sandbox = { environment: 'sandbox' } as const;
    expect((await asOwner('GET', path, sandbox)).status).toBe(401);
    expect((await asOwner('PATCH', path, { ...sandbox, body: { first_name: 'Eve' } })).status).toBe(401);
    const credit = `/v1/store-credit?customer_id=${id}&store_id=${merchant.store}`;
    expect((await asOwner('GET', credit, sandbox)).status).toBe(401);
    const own = await join(stoa, merchant.keys, 'owner');
    const seen = await dashboard(stoa, 'GET', `/v1/customers/${id}`, { cookie: own.cookie, ...sandbox });
    expect(seen.body.customer.first_name).toBe('Ada');
  });

  test('reaches no merchant that has left', async () => {
    const leaving = await openMember(stoa);
    const set = (member: boolean) =>
      stoa.services.runtime.ask(
        'StoreAdmin/SetMerchant',
        { store: '00000000-0000-0000-0000-000000000000', environment: 'production' },
        { operator: operator.operator_id, store: leaving.store, member },
      );
    const status = async () =>
      (await asOwner('GET', `/v1/products?store_id=${leaving.store}`, { environment: 'sandbox' })).status;
    await set(true);
    await eventually(async () => expect(await status()).toBe(200));
    await set(false);
    await eventually(async () => expect(await status()).toBe(404));
  });
});

describe('an operator’s account', () => {
  test('belongs to that operator alone', async () => {
    const other = await openOperator(stoa, [merchant.store]);
    const theirs = await join(stoa, { secret_key: other.operator_key }, 'owner');
    expect(errorOf(await asOwner('PATCH', `/v1/staff/${theirs.id}`, { body: { role: 'analyst' } }))).toEqual([
      404,
      'not_found',
      undefined,
    ]);
    const { body } = await asOwner('GET', `/v1/staff/sessions?staff_id=${theirs.id}`);
    expect(body.sessions).toEqual([]);
    const { body: staff } = await dashboard(stoa, 'GET', '/v1/staff', { cookie: theirs.cookie });
    expect(staff.staff.map(({ id }: { id: string }) => id)).toEqual([theirs.id]);
  });

  test('shares its address with an account of a store, each with a password of its own', async () => {
    const { email } = await join(stoa, merchant.keys, 'manager', owner.email);
    const into = async (store: string) => (await signIn(stoa, { email, password: PASSWORD, store })).body;
    expect((await into(merchant.keys.code)).store.code).toBe(merchant.keys.code);
    expect((await into(operator.operator_id)).operator.id).toBe(operator.operator_id);
  });

  test('needs an invitation by the operator’s live key', async () => {
    const body = { email: newEmail(), role: 'owner' };
    expect((await invite(stoa, { secret_key: operator.operator_test_key }, body)).status).toBe(403);
    expect((await invite(stoa, inviting, body)).status).toBe(201);
  });
});
