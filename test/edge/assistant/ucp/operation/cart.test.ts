// Tests operations on cancelled, expired and converted carts.
import { beforeAll, expect, test } from 'vitest';
import { ADDRESS, connect, type Document, openShop, refused } from '#test/edge/assistant/mcp/shop.ts';
import { sending, sent } from '#test/edge/assistant/ucp/platform.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

// "Subsequent operations for this cart ID SHOULD return `not_found`."
test('treats cancelled and expired carts as missing', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const { line_items } = sent(shop);
  const begin = async (): Promise<string> => (await send('POST', '/ucp/carts', { body: { line_items } })).document.id;
  const isGone = async (id: string): Promise<void> => {
    for (const [method, path, body, field] of [
      ['GET', `/ucp/carts/${id}`, undefined, '$.id'],
      ['PUT', `/ucp/carts/${id}`, { line_items }, '$.id'],
      ['POST', `/ucp/carts/${id}/cancel`, undefined, '$.id'],
      ['POST', '/ucp/checkout-sessions', { cart_id: id }, '$.cart_id'],
    ] as const) {
      const { status, document, text } = await send(method, path, { body });
      expect([status, document.messages?.[0].code, document.messages?.[0].path], text).toEqual([
        200,
        'not_found',
        field,
      ]);
    }
  };
  const [cancelled, old] = [await begin(), await begin()];
  await send('POST', `/ucp/carts/${cancelled}/cancel`);
  await isGone(cancelled);
  const advanced = await shop.merchant.test('POST', '/v1/sandbox/time-travel', { advance_seconds: 24 * 3_600 });
  expect(advanced.status, advanced.text).toBe(200);
  await isGone(old);
  const { document } = await send('POST', '/ucp/checkout-sessions', { body: { cart_id: 'none' } });
  expect(document.messages).toMatchObject([{ code: 'not_found', path: '$.cart_id' }]);
});

test('allows reads but no changes of a cart in checkout', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const { line_items } = sent(shop);
  const { id } = (await send('POST', '/ucp/carts', { body: { line_items } })).document;
  await send('POST', '/ucp/checkout-sessions', { body: { cart_id: id } });
  const { document } = await send('PUT', `/ucp/carts/${id}`, { body: { line_items } });
  expect(document.messages).toMatchObject([{ code: 'conflict', path: '$.id' }]);
  expect((await send('GET', `/ucp/carts/${id}`)).document.id).toBe(id);
});

test('ways of delivery neither, and of one whose goods are not sold any more it is the cart that cannot be had', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const client = await connect(shop, shop.merchant.keys.publishable_test_key);
  const { line_items } = sent(shop);
  const begin = async (): Promise<string> => (await send('POST', '/ucp/carts', { body: { line_items } })).document.id;
  const [cancelled, unsold] = [await begin(), await begin()];
  const ask = async (cart_id: string) =>
    (await refused(client, 'get_shipping_options', { cart_id, destination: ADDRESS })).messages;
  await send('POST', `/ucp/carts/${cancelled}/cancel`);
  expect(await ask(cancelled)).toMatchObject([{ code: 'not_found', path: '$.cart_id' }]);
  const { products } = (await shop.merchant.test('GET', '/v1/products')).body;
  const mug = products.find(({ variant_id }: Document) => variant_id === shop.mug);
  expect((await shop.merchant.test('DELETE', `/v1/products/${mug.id}`)).status).toBeLessThan(300);
  expect(await ask(unsold)).toMatchObject([{ code: 'out_of_stock', path: '$.cart_id' }]);
  await client.close();
});
