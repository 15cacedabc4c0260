// Serves each of several requests with the same signature: a signature proves the body and the time, the Idempotency-Key
// identifies a retry.
import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type Keys, type Reply, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

const CALLERS = 20;

let stoa: Stoa;
let keys: Keys;
let variant: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  const { body } = await stoa.send('POST', '/v1/products', {
    key: keys.secret_key,
    body: { name: 'Gift wrap', price: 10, stock: 1_000, shipping_info: { requires_shipping: false } },
  });
  variant = body.variant_id;
});

/** A body signed once, to be sent anywhere any number of times. */
const signedOnce = (value: object) => {
  const body = JSON.stringify(value);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', keys.hmac_secret).update(`${timestamp}.${body}`).digest('base64');
  return (method: string, path: string, key: string = randomUUID()): Promise<Reply> =>
    sendTo(stoa.url, method, path, {
      key: keys.secret_key,
      body,
      headers: { 'X-Timestamp': timestamp, 'X-Signature': signature, 'Idempotency-Key': key },
    });
};
const basket = () => ({ items: [{ variant_id: variant, quantity: 1 }], email: 'ada@example.com' });
const times = (work: () => Promise<Reply>): Promise<Reply[]> => Promise.all(Array.from({ length: CALLERS }, work));

test('many equal orders at once are each placed, and each is marked paid by the same signature', async () => {
  const place = signedOnce(basket());
  const placed = await times(() => place('POST', '/v1/orders'));
  expect(placed.map(({ status }) => status)).toEqual(placed.map(() => 201));
  const ids = placed.map(({ body }) => body.order.id);
  expect(new Set(ids).size).toBe(CALLERS);

  const pay = signedOnce({ payment_status: 'paid' });
  const paid = await Promise.all(ids.map((id) => pay('PATCH', `/v1/orders/${id}`)));
  expect(paid.map(({ status, body }) => [status, body.order?.payment_status])).toEqual(ids.map(() => [200, 'paid']));
});

test('many requests at once under one key place one order', async () => {
  const place = signedOnce(basket());
  const replies = await times(() => place('POST', '/v1/orders', 'once'));
  for (const { status } of replies) expect([201, 409]).toContain(status);
  expect(new Set(replies.flatMap(({ body }) => body.order?.id ?? [])).size).toBe(1);
});

test('the signature of one path is good on another, and for another order', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => signedOnce(basket())('POST', '/v1/orders')));
  const note = signedOnce({ note: 'Ring twice' });
  for (const { body } of [one!, two!])
    expect((await note('PATCH', `/v1/orders/${body.order.id}`, 'same key')).body.order.note).toBe('Ring twice');
  expect((await note('POST', '/v1/orders')).status).toBe(400);
  expect((await note('POST', '/v1/payments/initialize')).status).toBe(400);
});
