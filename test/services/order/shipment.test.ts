// Shipments over HTTP: which units a parcel takes, and when the order is shipped.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { basket, createSingleProductStore, placeOrder, stockOf } from './single_product_store.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

describe('a shipment', () => {
  test('moves an order to shipped with its last unit', async () => {
    const shop = await createSingleProductStore(stoa);
    const { id, items } = await placeOrder(shop, basket(shop));
    const ship = (body: unknown) => shop.write('POST', `/v1/orders/${id}/shipments`, body);
    const line = items[0]!.id;
    const first = await ship({ carrier: 'DHL', tracking_number: 'A1', items: [{ order_item_id: line, quantity: 1 }] });
    expect(first.body.shipment).toMatchObject({ carrier: 'DHL', tracking_number: 'A1', items: [{ quantity: 1 }] });
    expect((await shop.read(`/v1/orders/${id}`)).body.order.order_status).toBe('pending');
    expect((await ship({ carrier: 'DHL', items: [{ order_item_id: line, quantity: 2 }] })).status).toBe(409);
    expect((await ship({ carrier: 'DHL', tracking_number: 'A2' })).status).toBe(201);
    const { order } = (await shop.read(`/v1/orders/${id}`)).body;
    expect(order).toMatchObject({ order_status: 'shipped', tracking_number: 'A2', items: [{ quantity_fulfilled: 2 }] });
    expect((await ship({})).body.error.param).toBe('rate_id');
  });

  test('ships an order of a physical and a digital line with its physical units', async () => {
    const shop = await createSingleProductStore(stoa);
    const mug = await shop.write('POST', '/v1/products', { name: 'Mug', price: 10, stock: 5 });
    const place = (digital: number) =>
      placeOrder(shop, {
        items: [
          { variant_id: shop.variant, quantity: digital },
          { variant_id: mug.body.variant_id, quantity: 2 },
        ],
        email: 'ada@example.com',
        shipping_address: { line1: '1 High Street', city: 'Nairobi', country: 'KE' },
      });
    const { id, items } = await place(2);
    expect(items).toMatchObject([{ quantity_fulfilled: 2 }, { quantity_fulfilled: 0 }]);
    const order_item_id = items[1]!.id;
    const ship = (named = {}) => shop.write('POST', `/v1/orders/${id}/shipments`, { carrier: 'DHL', ...named });
    const status = async () => (await shop.read(`/v1/orders/${id}`)).body.order.order_status;
    expect((await ship({ items: [{ order_item_id, quantity: 1 }] })).status).toBe(201);
    expect(await status()).toBe('pending');
    expect((await ship()).body.shipment.items).toEqual([{ order_item_id, quantity: 1 }]);
    expect(await status()).toBe('shipped');
    expect((await ship()).body.error).toMatchObject({
      code: 'conflict',
      message: 'The order has no units left to ship.',
    });
    // A cancelled order puts its digital units back into stock, too.
    const cancelled = await place(3);
    expect(await stockOf(shop)).toBe(0);
    await shop.sign('PATCH', `/v1/orders/${cancelled.id}`, { order_status: 'cancelled' });
    expect(await stockOf(shop)).toBe(3);
  });
});
