// The search over a store's orders.
import { expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { basket, createSingleProductStore, placeOrder } from '#test/services/order/single_product_store.ts';
import { sharedStoa } from '#test/support/stoa.ts';

test('orders are searched by number, by SKU and by the beginning of an e-mail address', async () => {
  const stoa = await sharedStoa();
  const shop = await createSingleProductStore(stoa, { stock: 50, sku: 'WRAP_1' });
  const other = await createSingleProductStore(stoa, { stock: 50, sku: 'WRAP_1' });
  await placeOrder(other, basket(other, 1));
  const ada = await placeOrder(shop, { ...basket(shop, 1), email: 'Ada.L%1@example.com' });
  const bob = await placeOrder(shop, { ...basket(shop, 1), email: 'bob@example.com' });
  const search = async (text: string): Promise<string[]> => {
    const { orders } = (await shop.read(`/v1/orders?search=${encodeURIComponent(text)}`)).body;
    return orders.map(({ id }: StoreOrder) => id);
  };
  expect(await search('1001')).toEqual([ada.id]);
  expect(await search('ada.l')).toEqual([ada.id]);
  expect(await search('ADA.L%1@EXAMPLE.COM')).toEqual([ada.id]);
  expect(await search('WRAP_1')).toEqual([bob.id, ada.id]);
  for (const absent of ['WRAP', 'wrap_1', '%', '_', 'example.com', '01001', '1e3', "' or true --"])
    expect(await search(absent), absent).toEqual([]);
  expect((await shop.read('/v1/orders?search=')).status).toBe(400);
  const page = (await shop.read('/v1/orders?search=WRAP_1&limit=1')).body;
  expect(page.orders.map(({ id }: StoreOrder) => id)).toEqual([bob.id]);
  const next = (await shop.read(`/v1/orders?search=WRAP_1&limit=1&cursor=${page.pagination.next_cursor}`)).body;
  expect(next.orders.map(({ id }: StoreOrder) => id)).toEqual([ada.id]);
});
