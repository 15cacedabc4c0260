// Orders placed without an account: they move to the customer who verifies their e-mail address.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { WebhookEvent } from '#proto/gen/webhook.ts';
import {
  closeShop,
  keys,
  login,
  me,
  newCustomer,
  openShop,
  PASSWORD,
  refresh,
  type SignedIn,
  stoa,
} from '#test/services/customer/client.ts';
import { ask, codeFor, linkFor, messagesTo } from '#test/services/customer/mailbox.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

let variant: string;
let promotion: string;
const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
  stoa.send(method, path, { key: keys.secret_test_key, signWith: keys.hmac_test_secret, ...(body ? { body } : {}) });

beforeAll(async () => {
  await openShop();
  const product = { name: 'Mug', price: 10, stock: 900, shipping_info: { requires_shipping: false } };
  variant = (await send('POST', '/v1/products', product)).body.variant_id;
  const once = { name: 'Once', code: 'ONCE', type: 'percentage', value: 10, usage_limit_per_customer: 1 };
  promotion = (await send('POST', '/v1/promotions', { ...once, status: 'active' })).body.promotion.id;
});
afterAll(closeShop);

const order = (email: string, more: object = {}): Promise<Reply> =>
  send('POST', '/v1/orders', { items: [{ variant_id: variant, quantity: 1 }], email, ...more });
const ordered = async (email: string, more?: object): Promise<StoreOrder> => {
  const { status, body, text } = await order(email, more);
  expect(status, text).toBe(201);
  return body.order;
};
const ordersOf = async (customer: string): Promise<string[]> =>
  (await send('GET', `/v1/orders?customer_id=${customer}`)).body.orders.map(({ id }: StoreOrder) => id);

test('belong to the customer who proves the address by a magic link, and can be returned', async () => {
  const { id, email, access } = await newCustomer(keys.secret_test_key);
  const { id: placed, customer_id, items } = await ordered(email.toUpperCase(), { promotion_codes: ['ONCE'] });
  const foreign = await ordered(`other-${email}`);
  expect([customer_id, items[0]!.discount]).toEqual([null, 1]);
  await send('PATCH', `/v1/orders/${placed}`, { payment_status: 'paid', order_status: 'delivered' });
  const giveBack = (token: string) =>
    stoa.send('POST', `/v1/orders/${placed}/returns`, {
      key: keys.publishable_test_key,
      headers: { 'x-auth-token': token },
      body: { reason_code: 'wrong_size' },
    });
  expect(await ordersOf(id)).toEqual([]);
  expect((await giveBack(access)).status).toBe(404);

  const token = await linkFor('magic-link', email);
  const { body } = await ask('magic-link/verify', { token });
  expect(await ordersOf(id)).toEqual([placed]);
  expect((await giveBack(body.session.access_token)).status).toBe(201);
  expect((await send('GET', `/v1/orders/${foreign.id}`)).body.order.customer_id).toBeNull();
  // The customer has used the promotion, so another e-mail address does not help.
  const again = await order(`new-${email}`, { customer_id: id, promotion_codes: ['ONCE'] });
  expect([again.status, again.body.error.code]).toEqual([400, 'promotion_not_applicable']);
  expect((await send('GET', `/v1/promotions/${promotion}`)).body.promotion.times_used).toBe(1);
});

test('placed after the proof belong to the customer with the next proof', async () => {
  const { id, email } = await newCustomer(keys.secret_test_key);
  const proveByCode = async () => ask('verify-otp', { email, code: await codeFor(email) });
  expect((await proveByCode()).status).toBe(200);
  const { id: placed } = await ordered(email);
  expect(await ordersOf(id)).toEqual([]);
  expect((await proveByCode()).status).toBe(200);
  expect(await ordersOf(id)).toEqual([placed]);
});

test('move to the customer once for four concurrent links', async () => {
  const { id, email } = await newCustomer(keys.secret_test_key);
  const placed = await Promise.all([ordered(email), ordered(email)]);
  const tokens: string[] = [];
  for (let count = 0; count < 4; count++) tokens.push(await linkFor('magic-link', email));
  const replies = await Promise.all(tokens.map((token) => ask('magic-link/verify', { token })));
  expect(replies.some(({ status }) => status === 200)).toBe(true);
  expect((await ordersOf(id)).sort()).toEqual(placed.map((each) => each.id).sort());
  const updates = async (): Promise<unknown[]> => {
    const { webhook_events } = (await send('GET', '/v1/webhook-events?limit=100')).body;
    return webhook_events
      .filter(({ type, data }: WebhookEvent) => type === 'order.updated' && data.object.id === placed[0]!.id)
      .map(({ previous_attributes }: WebhookEvent) => previous_attributes);
  };
  await eventually(async () => expect(await updates()).toEqual([{ customer_id: null }]));
});

test('leave no session and no password to a stranger who has just registered with the address', async () => {
  const { id, email, access, refresh: token } = await newCustomer(keys.secret_test_key);
  const { id: placed } = await ordered(email);
  const key = keys.secret_test_key;
  const strangers = () =>
    Promise.all([
      ...Array.from({ length: 20 }, () => me(access, { key })),
      refresh(token, key),
      login(email, PASSWORD, key),
    ]);
  const [proved] = await Promise.all([ask('verify-otp', { email, code: await codeFor(email) }), strangers()]);
  expect([proved.status, await ordersOf(id)]).toEqual([200, [placed]]);
  for (const { status } of await strangers()) expect(status).toBe(401);
  expect((await me(proved.body.session.access_token, { key })).status).toBe(200);
});

test('leave the sessions and the password to the customer whose session brings the proof', async () => {
  const { id, email, access } = await newCustomer(keys.secret_test_key);
  const { id: placed } = await ordered(email);
  const proof = await stoa.send('POST', '/v1/auth/verify-otp', {
    key: keys.secret_test_key,
    headers: { 'x-auth-token': access },
    body: { email, code: await codeFor(email) },
  });
  expect([proof.status, await ordersOf(id)]).toEqual([200, [placed]]);
  expect((await me(access, { key: keys.secret_test_key })).status).toBe(200);
  expect((await login(email, PASSWORD, keys.secret_test_key)).status).toBe(200);
});

test('stay with the guest when customers move to the address while codes are mailed to their old ones', async () => {
  const key = keys.secret_test_key;
  const move = async ({ id, email, access }: SignedIn): Promise<number> => {
    const theirs = `guest-${email}`;
    const { id: placed } = await ordered(theirs);
    const changed = { key: keys.publishable_test_key, headers: { 'x-auth-token': access }, body: { email: theirs } };
    const [{ status }] = await Promise.all([
      stoa.send('PATCH', `/v1/customers/${id}`, changed),
      ask('send-otp', { email }),
    ]);
    expect(status).toBe(200);
    const [mailed] = await messagesTo(email);
    if (mailed?.code) await ask('verify-otp', { email, code: mailed.code });
    expect((await send('GET', `/v1/orders/${placed}`)).body.order.customer_id).toBeNull();
    return mailed ? 1 : 0;
  };
  // Registrations are slow on purpose, so they follow each other.
  const customers: SignedIn[] = [];
  for (let n = 0; n < 20; n++) customers.push(await newCustomer(key));
  const mailed = await Promise.all(customers.map(move));
  expect(mailed).toContain(1);
});
