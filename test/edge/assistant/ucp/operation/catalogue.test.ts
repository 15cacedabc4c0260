// Products as a platform looks them up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Document, judged, openShop } from '#test/edge/assistant/mcp/shop.ts';
import { sending } from '#test/edge/assistant/ucp/platform.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

test('looks products up within filters', async () => {
  const shop = await openShop(stoa);
  const send = sending(shop);
  const ids = [shop.mug, shop.shirt];
  const titles = async (filters: object) =>
    (await send('POST', '/ucp/catalog/lookup', { body: { ids, filters } })).document.products.map(
      ({ title }: Document) => title,
    );
  expect(await titles({})).toEqual(['Blue mug', 'Shirt']);
  expect(await titles({ price: { max: 1_000 } })).toEqual(['Blue mug']);
  expect(await titles({ price: { min: 2_100 } })).toEqual(['Shirt']);
  expect(await titles({ price: { min: 2_100 }, available: true })).toEqual([]);
  expect(await titles({ categories: ['Kitchen'] })).toEqual([]);
  const large = await send('POST', '/ucp/catalog/product', {
    body: { id: shop.shirt, filters: { price: { min: 2_100 } } },
  });
  judged('shopping/catalog_lookup.json#/$defs/get_product_response', large.document);
  expect(large.document.product.variants.map(({ title }: Document) => title)).toEqual(['L']);
  const none = await send('POST', '/ucp/catalog/product', {
    body: { id: shop.mug, filters: { price: { min: 2_100 } } },
  });
  expect(none.document.messages[0].code).toBe('not_found');
});
