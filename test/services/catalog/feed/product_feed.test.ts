// products.json: its shape, and that it stays whole while the catalogue moves.
import { describe, expect, test } from 'vitest';
import { renderProductFeed } from '#services/catalog/feed/product_feed.ts';
import { catalogueOf, NOW, shirt, shoe, shop } from './fixture.ts';

describe('products.json', () => {
  test('holds the active products, newest first, as their own pages show them', async () => {
    const catalogue = catalogueOf([shoe, { name: 'Hidden', is_active: false }, shirt]);
    const feed = JSON.parse((await renderProductFeed(shop, catalogue, NOW)).toString());
    expect(feed).toMatchObject({
      store: { id: shop.id, code: shop.code, name: shop.name, website_url: shop.website_url },
      currency: 'USD',
      updated_at: '2026-11-21T09:30:00.000Z',
    });
    expect(feed.products.map(({ name, has_variants }: Record<string, unknown>) => [name, has_variants])).toEqual([
      ['Shirt', true],
      ['Trail shoe', false],
    ]);
    expect(feed.products[1]).toMatchObject({ sku: 'TS-1', price: 100, selling_price: 79.5, category_name: 'Shoes' });
    expect(feed.products[0].variants.length).toBe(2);
  });

  test('of nothing is an empty list', async () => {
    const feed = JSON.parse((await renderProductFeed(shop, catalogueOf([]), NOW)).toString());
    expect(feed.products).toEqual([]);
  });

  test('is whole whatever leaves the catalogue while it is written', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => ({ name: `Product ${index}`, price: index }));
    const catalogue = catalogueOf(rows);
    const ids = catalogue.sorted('newest').map(({ id }) => id);
    const rendering = renderProductFeed(shop, catalogue, NOW);
    await new Promise((done) => setImmediate(done));
    catalogue.removeProducts(ids.slice(300));
    const { products } = JSON.parse((await rendering).toString());
    expect(products.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 300));
  });
});
