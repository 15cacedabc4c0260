// Warnings to shoppers after catalogue changes.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { add, cartOf, openStorefront, problemOf, readCart, type Storefront } from './storefront.ts';

let stoa: Stoa;
let shop: Storefront;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openStorefront(stoa);
});

describe('a warning', () => {
  test('tells a new price until the line is written again', async () => {
    const { visitor, made, item } = await shop.withItem(2, { price: 10 });
    await shop.secret('PATCH', `/v1/products/${made.id}`, { price: 12.5 });
    const changed = await readCart(visitor);
    expect(changed).toMatchObject({ items: [{ unit_price: 12.5, total: 25 }], total: 25, version: 1 });
    expect(changed.warnings).toEqual([
      { code: 'price_changed', item_id: item.id, message: 'The price of Trail shoe changed from 10.00 to 12.50 USD.' },
    ]);
    expect(cartOf(await add(visitor, { variant_id: made.variant_id }))).toMatchObject({ total: 37.5, warnings: [] });
  });

  test('tells what cannot be bought any longer, in part or at all', async () => {
    const { visitor, made, item } = await shop.withItem(4, { price: 10, shipping_info: { requires_shipping: false } });
    const level = (on_hand: number) =>
      shop.secret('POST', '/v1/inventory/adjustments', { variant_id: made.variant_id, on_hand });
    await level(3);
    const short = await readCart(visitor);
    expect(short).toMatchObject({
      items: [{ quantity: 4, total: 40, in_stock: false }],
      item_count: 4,
      total: 40,
      warnings: [{ code: 'insufficient_stock', item_id: item.id, message: 'Only 3 of Trail shoe can be bought now.' }],
    });
    const body = { cart: true, session_id: visitor.session, email: 'ada@example.com' };
    const { secret_key: key, hmac_secret: signWith } = shop.keys;
    const order = await stoa.send('POST', '/v1/orders', { key, signWith, body });
    expect(problemOf(order).slice(0, 2)).toEqual([409, 'insufficient_stock']);
    expect(await readCart(visitor)).toEqual(short);
    await level(0);
    expect(await readCart(visitor)).toMatchObject({
      items: [{ quantity: 4, in_stock: false }],
      warnings: [{ code: 'out_of_stock', item_id: item.id }],
    });
    await level(4);
    expect(await readCart(visitor)).toMatchObject({ items: [{ quantity: 4, in_stock: true }], warnings: [] });
  });

  test('tells that a product is gone, which is shown as it was', async () => {
    const { visitor, made } = await shop.withItem(1, { name: 'Lamp', price: 10 });
    await shop.secret('PATCH', `/v1/products/${made.id}`, { is_active: false, price: 99, name: 'Secret' });
    const shown = { items: [{ name: 'Lamp', unit_price: 10, in_stock: false }], warnings: [{ code: 'out_of_stock' }] };
    expect(await readCart(visitor)).toMatchObject(shown);
    await shop.secret('DELETE', `/v1/products/${made.id}`);
    expect(await readCart(visitor)).toMatchObject(shown);
  });
});
