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
const openShop = async (environment: 'production' | 'sandbox' = 'production'): Promise<Shop> => {
  const all = await stoa.createStore();
  const keys =
    environment === 'production' ? all : { ...all, secret_key: all.secret_test_key, hmac_secret: all.hmac_test_secret };
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

/** A body signed once, sent wherever one likes; of two signed alike one is so many seconds older. */
const signedOnce = (shop: Shop, value: unknown, ageS = 0) => {
  const body = JSON.stringify(value);
  const now = String(Math.floor(Date.now() / 1000) - ageS);
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

/** Signed bodies that are accepted, each by one of the signed endpoints; `path` names another of its kind. */
const accepted = async (shop: Shop) => {
  const [one, two] = [await placed(shop, basket(shop, 1)), await placed(shop, basket(shop, 1))];
  return [
    {
      method: 'POST',
      paths: ['/v1/orders', '/v1/payments/initialize'],
      body: { ...basket(shop, 1), note: 'Signed once' },
    },
    { method: 'PATCH', paths: [`/v1/orders/${one.id}`, `/v1/orders/${two.id}`], body: { note: 'Ring twice' } },
    { method: 'POST', paths: ['/v1/payments/initialize', '/v1/orders'], body: { provider: 'wallet', amount: 5 } },
    {
      method: 'POST',
      paths: ['/v1/ingestion/push', '/v1/orders'],
      body: { products: [{ external_id: 'once', name: 'Once' }] },
    },
  ] as const;
};

test('of every signed endpoint belongs to the first key, body and path that it came with', async () => {
  const shop = await openShop('sandbox');
  for (const { method, paths, body } of await accepted(shop)) {
    const [path, other] = paths;
    const send = signedOnce(shop, body);
    const first = await send(method, path, 'first');
    expect([path, first.status], first.text).toEqual([
      path,
      expect.toSatisfy((status) => status >= 200 && status < 300),
    ]);
    const again = await send(method, path, 'first');
    expect([again.status, again.body.idempotent]).toEqual([first.status, true]);
    for (const [to, key] of [
      [path, 'second'],
      [other, 'first'],
      [other, 'second'],
    ] as const)
      expect([to, key, (await send(method, to, key)).body.error?.code]).toEqual([to, key, 'unauthorized']);
  }
});

test('that a retry brings is bound as the first one’s, at every signed endpoint', async () => {
  const shop = await openShop('sandbox');
  for (const { method, paths, body } of await accepted(shop)) {
    const [path, other] = paths;
    expect((await signedOnce(shop, body, 20)(method, path, 'retried')).status).toBeLessThan(300);
    const retry = signedOnce(shop, body, 10);
    expect((await retry(method, path, 'retried')).body.idempotent).toBe(true);
    expect([other, (await retry(method, other)).body.error?.code]).toEqual([other, 'unauthorized']);
    expect([path, (await retry(method, path)).body.error?.code]).toEqual([path, 'unauthorized']);
  }
});

test('of another path is not answered with what is stored there', async () => {
  const shop = await openShop('sandbox');
  for (const { method, paths, body } of (await accepted(shop)).filter(({ method }) => method === 'PATCH')) {
    const [path, other] = paths;
    expect((await signedOnce(shop, body, 20)(method, other, 'known')).status).toBe(200);
    const send = signedOnce(shop, body, 10);
    expect((await send(method, path, 'known')).status).toBe(200);
    expect((await send(method, other, 'known')).body.error?.code).toBe('unauthorized');
  }
});
