// Checkouts of carts, and retried changes of both.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { BUYER, type Document, judged, openShop } from '#test/edge/assistant/mcp/shop.ts';
import { sending } from '#test/edge/assistant/ucp/platform.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

// "If an incomplete checkout already exists for the given cart_id, the business MUST return the existing checkout". "MUST
// use cart contents and MUST ignore overlapping fields in checkout payload".
test('makes of a cart one checkout at a time, as the cart says', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
  const cart = await send('POST', '/ucp/carts', { body: { line_items, buyer: BUYER } });
  const body = {
    cart_id: cart.document.id,
    line_items: [{ item: { id: shop.mug }, quantity: 5 }],
    buyer: { email: 'eve@example.com' },
  };
  const convert = () =>
    eventually(async () => {
      const { document } = await send('POST', '/ucp/checkout-sessions', { body });
      // A caller that loses several races must retry.
      expect(document.code).not.toBe('conflict');
      return document;
    });
  const many = await Promise.all(Array.from({ length: 4 }, convert));
  const { id } = many[0];
  for (const document of many) {
    judged('shopping/checkout.json', document);
    expect(document).toMatchObject({ id, buyer: { email: BUYER.email }, line_items: [{ quantity: 1 }] });
  }
  const level = async () => (await shop.merchant.test('GET', `/v1/inventory/${shop.mug}`)).body.inventory.held;
  await eventually(async () => expect(await level()).toBe(1));
  await send('POST', `/ucp/checkout-sessions/${id}/cancel`);
  const next = await convert();
  expect(next.status).toBe('incomplete');
  expect(next.id).not.toBe(id);
  await eventually(async () => expect(await level()).toBe(1));
});

test('shows and ends a cart of what is not sold any more; a checkout of it is told as one that is out of stock', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
  const { document: cart } = await send('POST', '/ucp/carts', { body: { line_items, buyer: BUYER } });
  const { products } = (await shop.merchant.test('GET', '/v1/products')).body;
  const mug = products.find(({ variant_id }: Document) => variant_id === shop.mug);
  await shop.merchant.test('DELETE', `/v1/products/${mug.id}`);
  expect((await send('GET', `/ucp/carts/${cart.id}`)).document).toEqual(cart);
  const { document } = await send('POST', '/ucp/checkout-sessions', { body: { cart_id: cart.id, line_items } });
  expect(document.messages).toMatchObject([{ code: 'out_of_stock', path: '$.cart_id' }]);
  const over = await send('POST', `/ucp/carts/${cart.id}/cancel`);
  expect([over.status, over.document], over.text).toEqual([200, cart]);
});

test.each([
  ['checkout', '/ucp/checkout-sessions'],
  ['cart', '/ucp/carts'],
])('answers a retried change of a %s as the first time after its line is gone', async (_, folder) => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const item = { id: shop.mug };
  const { document: created } = await send('POST', folder, { body: { line_items: [{ item, quantity: 2 }] } });
  const path = `${folder}/${created.id}`;
  const { id } = created.line_items[0];
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { line_items: [{ id, item, quantity: 1 }] };
  const first = await send('PUT', path, { body, headers });
  expect(first.document.line_items).toMatchObject([{ id, quantity: 1 }]);
  const plate = await shop.merchant.test('POST', '/v1/products', { name: 'Plate', price: 3, stock: 5 });
  const other = { id: plate.body.variant_id };
  expect((await send('PUT', path, { body: { line_items: [{ item: other, quantity: 1 }] } })).status).toBe(200);
  expect((await send('PUT', path, { body, headers })).document.line_items).toEqual(first.document.line_items);
  expect((await send('PUT', path, { body })).document.messages[0]).toMatchObject({
    code: 'not_found',
    path: '$.line_items[0].id',
  });
  const crossed = { line_items: [{ id, item, quantity: 2 }] };
  expect((await send('PUT', path, { body: crossed, headers })).document.code).toBe('idempotency_conflict');
  expect((await send('GET', path)).document.line_items).toMatchObject([{ item: other }]);
});

test('begins a checkout in the preferred currency where the store sells in it, else in its own', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  await shop.merchant.secret('PATCH', '/v1/store', {
    currencies: [
      { currency: 'EUR', prices: 'rate' },
      { currency: 'GBP', prices: 'rate' },
    ],
  });
  await shop.merchant.test('PUT', '/v1/exchange-rates/EUR', { rate: 0.9 });
  const createIn = async (currency: string): Promise<Document> => {
    const body = { line_items: [{ item: { id: shop.mug }, quantity: 1 }], context: { currency } };
    const { status, document, text } = await send('POST', '/ucp/checkout-sessions', { body });
    expect(status, text).toBe(201);
    judged('shopping/checkout.json', document);
    return document;
  };
  // The edge has the store's former currencies for some seconds.
  await eventually(async () => expect((await createIn('EUR')).currency).toBe('EUR'));
  expect((await createIn('EUR')).totals).toContainEqual(expect.objectContaining({ type: 'total', amount: 900 }));
  // GBP has no exchange rate.
  for (const currency of ['GBP', 'CHF', 'gold']) expect((await createIn(currency)).currency).toBe('USD');
});
