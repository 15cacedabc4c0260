// A signature is good for one path, one body and the first Idempotency-Key that it comes with.
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { type Keys, type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

interface Shop extends Keys {
  readonly variant: string;
  readonly product: string;
  read(path: string): Promise<Reply>;
  sign(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** A store with one product that needs no shipping: 10 a piece, five of them. */
const openShop = async (): Promise<Shop> => {
  const keys = await stoa.createStore();
  const send = (method: string, path: string, options: Parameters<typeof sendTo>[3] = {}) =>
    sendTo(stoa.url, method, path, { key: keys.secret_key, ...options });
  const made = await send('POST', '/v1/products', {
    body: { name: 'Gift wrap', price: 10, stock: 5, shipping_info: { requires_shipping: false } },
  });
  expect(made.status, made.text).toBe(201);
  return {
    ...keys,
    product: made.body.id,
    variant: made.body.variant_id,
    read: (path) => send('GET', path),
    sign: (method, path, body, headers = {}) => send(method, path, { body, headers, signWith: keys.hmac_secret }),
  };
};

const stockOf = async (shop: Shop): Promise<number> => (await shop.read(`/v1/products/${shop.product}`)).body.stock;
const basket = (shop: Shop, quantity: number) => ({
  items: [{ variant_id: shop.variant, quantity }],
  email: 'ada@example.com',
});
const placed = async (shop: Shop, body: unknown): Promise<StoreOrder> => {
  const reply = await shop.sign('POST', '/v1/orders', body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.order;
};

/** A body signed once, sent wherever one likes. */
const signedOnce = (shop: Shop, value: unknown) => {
  const body = JSON.stringify(value);
  const now = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', shop.hmac_secret).update(`${now}.${body}`).digest('base64');
  const headers = { 'X-Timestamp': now, 'X-Signature': signature };
  return (method: string, path: string, key: string = randomUUID()) =>
    sendTo(stoa.url, method, path, { key: shop.secret_key, body, headers: { ...headers, 'Idempotency-Key': key } });
};

test('that was accepted on one path is refused on another, whatever that one thinks of the body', async () => {
  const shop = await openShop();
  const send = signedOnce(shop, basket(shop, 1));
  // Not accepted anywhere yet.
  expect((await send('POST', '/v1/payments/initialize')).status).toBe(400);
  expect((await send('POST', '/v1/orders')).status).toBe(201);
  for (const [method, path] of [
    ['POST', '/v1/payments/initialize'],
    ['POST', '/v1/ingestion/push'],
    ['PATCH', `/v1/orders/${randomUUID()}`],
  ] as const) {
    const reply = await send(method, path);
    expect([path, reply.status, reply.body.error?.code]).toEqual([path, 401, 'unauthorized']);
  }
});

test('that moved one order moves no other, under any key', async () => {
  const shop = await openShop();
  const [one, two] = [await placed(shop, basket(shop, 1)), await placed(shop, basket(shop, 1))];
  const send = signedOnce(shop, { order_status: 'processing' });
  expect((await send('PATCH', `/v1/orders/${one.id}`, 'first')).status).toBe(200);
  for (const key of ['first', 'second']) {
    const reply = await send('PATCH', `/v1/orders/${two.id}`, key);
    expect([reply.status, reply.body.error?.hint]).toEqual([401, expect.stringContaining('timestamp')]);
  }
  expect((await shop.read(`/v1/orders/${two.id}`)).body.order.order_status).toBe('pending');
});

test('is good for its first Idempotency-Key alone, which it replays', async () => {
  const shop = await openShop();
  const send = signedOnce(shop, basket(shop, 1));
  const first = await send('POST', '/v1/orders', 'first');
  expect(first.status, first.text).toBe(201);
  expect((await send('POST', '/v1/orders', 'second')).status).toBe(401);
  const again = await send('POST', '/v1/orders', 'first');
  expect([again.body.order?.id, again.body.idempotent]).toEqual([first.body.order.id, true]);
  expect(await stockOf(shop)).toBe(4);
});

test('that 30 keys bring at once places one order', async () => {
  const shop = await openShop();
  const send = signedOnce(shop, basket(shop, 1));
  const replies = await Promise.all(Array.from({ length: 30 }, () => send('POST', '/v1/orders')));
  const [first, ...others] = replies.map(({ status }) => status).sort();
  expect(first).toBe(201);
  // Five pieces are there: who finds all of them held is told that instead.
  for (const status of others) expect([401, 409]).toContain(status);
  expect(await stockOf(shop)).toBe(4);
});
