// Orders from carts and quotes: what of them cannot be bought, named as their caller names it.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { basket, createSingleProductStore as openShopOf } from './single_product_store.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const openShop = () => openShopOf(stoa);

describe('an order', () => {
  test('refuses a cart with an inactive product with insufficient_stock, not with not_found', async () => {
    const shop = await openShop();
    const session = { 'X-Session-Id': randomUUID() };
    await shop.write('POST', '/v1/cart/items', { variant_id: shop.variant, quantity: 1 }, session);
    const { data: quote } = (
      await shop.write('POST', '/v1/agent/quotes', { items: [{ variant_id: shop.variant, quantity: 1 }] })
    ).body;
    const { body: product } = await shop.read('/v1/products?limit=1');
    await shop.write('PATCH', `/v1/products/${product.products[0].id}`, { is_active: false });
    const email = 'ada@example.com';
    for (const [param, from] of [
      ['cart', { cart: true, session_id: session['X-Session-Id'] }],
      ['quote_id', { quote_id: quote.id }],
    ] as const) {
      const { status, body } = await shop.sign('POST', '/v1/orders', { ...from, email });
      expect([status, body.error.code, body.error.param]).toEqual([409, 'insufficient_stock', param]);
    }
    const named = await shop.sign('POST', '/v1/orders', basket(shop, 1));
    expect([named.status, named.body.error.param]).toEqual([404, 'items[0].variant_id']);
  });

  test('names the field of a refused gift card: `cart` or `gift_card_codes`', async () => {
    const shop = await openShop();
    const session = { 'X-Session-Id': randomUUID() };
    await shop.write('POST', '/v1/cart/items', { variant_id: shop.variant, quantity: 1 }, session);
    const { gift_card } = (await shop.write('POST', '/v1/gift-cards', { amount: 5 })).body;
    const added = await shop.write('POST', '/v1/cart/gift-cards', { code: gift_card.code }, session);
    expect(added.status, added.text).toBe(200);
    const body = { cart: true, session_id: session['X-Session-Id'], email: 'ada@example.com' };
    const refused = async (more: object) => {
      const { status, body: answer } = await shop.sign('POST', '/v1/orders', { ...body, ...more });
      return [status, answer.error.code, answer.error.param, answer.error.details];
    };
    const code = 'gift_card_not_applicable';
    const ending = `It ends in ${gift_card.code.slice(-4)}.`;
    expect(await refused({ gift_card_codes: ['NONE'] })).toEqual([400, code, 'gift_card_codes[0]', undefined]);
    expect(await refused({ gift_card_codes: [gift_card.code] })).toEqual([400, code, 'gift_card_codes[0]', ending]);
    await shop.write('PATCH', `/v1/gift-cards/${gift_card.id}`, { status: 'disabled' });
    expect(await refused({})).toEqual([400, code, 'cart', ending]);
  });
});
