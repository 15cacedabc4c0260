// Signs requests, and follows the server's clock when its own is wrong, against the real system.
import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { server } from '#proto/client/server.ts';
import { createSigner } from '#proto/client/signing.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let variantId: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  variantId = (await open().products.create({ name: 'Mug', price: 12, stock: 100 })).variant_id!;
});

const open = () => server({ url: stoa.url, key: keys.secret_key, hmacSecret: keys.hmac_secret });
const orderOf = (back: ReturnType<typeof open>) =>
  back.orders.create({
    email: 'ada@example.com',
    items: [{ variant_id: variantId, quantity: 1 }],
    shipping_address: { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE' },
  });

describe('a signature', () => {
  it('signs in the documented way', async () => {
    const headers = await createSigner('secret').sign('{"a":"ä"}');
    const expected = createHmac('sha256', 'secret').update(`${headers['x-timestamp']}.{"a":"ä"}`).digest('base64');
    expect(headers['x-signature']).toBe(expected);
  });

  it('lets equal orders be placed at once, by one program or by several', async () => {
    const one = open();
    const placed = await Promise.all([one, one, one, open(), open()].map(orderOf));
    expect(new Set(placed.map(({ order }) => order.id)).size).toBe(5);
  });

  it('follows the server’s clock where this one is wrong', async () => {
    const { now } = Date;
    const back = open();
    const wrong = 3_600_000;
    Date.now = () => now() + wrong;
    try {
      expect((await orderOf(back)).order.order_status).toBe('pending');
    } finally {
      Date.now = now;
    }
  });
});
