// What becomes of a cart that is checked out.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUYER, judged, openShop } from '#test/edge/assistant/mcp/shop.ts';
import { sending } from '#test/edge/assistant/ucp/platform.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

// "If an incomplete checkout already exists for the given cart_id, the business MUST return the existing checkout", "MUST use
// cart contents and MUST ignore overlapping fields in checkout payload"
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
      // Whom others are ahead of again and again is told to send it again.
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
