// Reads of the catalogue by other domains.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { type CatalogHost, openCatalogHost } from '#test/services/catalog/host.ts';
import { eventually } from '#test/support/server.ts';

let host: CatalogHost;
let tenant: Tenant;
beforeAll(async () => {
  host = await openCatalogHost();
  tenant = await host.newTenant();
});
afterAll(() => host?.close());

test('tells whether a tenant has products, and active ones', async () => {
  const other = await host.newTenant();
  const has = () => host.call(other, 'CatalogDirectory/HasProducts');
  expect(await has()).toEqual({ any: false, active: false });
  const { created } = await host.upsert(other, [{ name: 'A' }, { name: 'B', is_active: false }]);
  expect(await has()).toEqual({ any: true, active: true });
  await host.call(other, 'Catalog/DeleteProduct', { id: created[0] });
  expect(await has()).toEqual({ any: true, active: false });
  await host.call(other, 'Catalog/DeleteProduct', { id: created[1] });
  expect(await has()).toEqual({ any: false, active: false });
});

test('returns what a line needs of a variant, with the product’s value where it has none', async () => {
  const { categories, product } = await host
    .call(tenant, 'Category/CreateCategory', { name: 'Shirts' })
    .then(async ({ category }) => ({
      categories: category,
      product: await host.call(tenant, 'Catalog/CreateProduct', {
        name: 'Shirt',
        category_id: category.id,
        media: [{ url: 'https://cdn.example/shirt.jpg' }],
        shipping_info: { requires_shipping: false },
        variants: [
          { sku: 'S', price: 10, sale_price: 8, stock: 3, weight_grams: 200, variant_name: 'Small' },
          { price: 12, media: [{ url: 'https://cdn.example/m.jpg' }] },
        ],
      }),
    }));
  const simple = await host.call(tenant, 'Catalog/CreateProduct', { name: 'Mug', price: 5, is_active: false });
  const [s, m] = product.variants;
  const asked = [m.variant_id, '00000000-0000-4000-8000-000000000000', s.variant_id.toUpperCase(), simple.variant_id];
  const { variants } = await host.call(tenant, 'CatalogDirectory/VariantsByIds', { variant_ids: asked });
  const shirt = {
    product_id: product.id,
    name: 'Shirt',
    category_id: categories.id,
    subcategory_id: null,
    is_active: true,
    currency: 'USD',
    requires_shipping: false,
  };
  expect(variants).toEqual([
    {
      ...shirt,
      variant_id: m.variant_id,
      variant_name: null,
      sku: null,
      thumbnail_url: 'https://cdn.example/m.jpg',
      price: 12,
      sale_price: null,
      selling_price: 12,
      stock: 0,
      weight_grams: null,
    },
    {
      ...shirt,
      variant_id: s.variant_id,
      variant_name: 'Small',
      sku: 'S',
      thumbnail_url: 'https://cdn.example/shirt.jpg',
      price: 10,
      sale_price: 8,
      selling_price: 8,
      stock: 3,
      weight_grams: 200,
    },
    expect.objectContaining({ variant_id: simple.variant_id, name: 'Mug', is_active: false, requires_shipping: true }),
  ]);
});

test('returns a variant’s present state after a change', async () => {
  const { category } = await host.call(tenant, 'Category/CreateCategory', { name: 'Lights' });
  const lamp = await host.call(tenant, 'Catalog/CreateProduct', { name: 'Lamp', price: 9, category_id: category.id });
  const ask = async () => {
    const asked = { variant_ids: [lamp.variant_id] };
    // Reads like a caller of the latest revision.
    return (await host.call(tenant, 'CatalogDirectory/VariantsByIds', asked, 1_000_000)).variants[0];
  };
  expect(await ask()).toMatchObject({ name: 'Lamp', sku: null, price: 9, stock: 0, category_id: category.id });
  await host.call(tenant, 'Catalog/UpdateProduct', { id: lamp.id, name: 'Lantern', sku: 'L', price: 10 });
  expect(await ask()).toMatchObject({ name: 'Lantern', sku: 'L', price: 10, category_id: category.id });
  await host.call(tenant, 'Inventory/CreateAdjustment', { variant_id: lamp.variant_id, delta: 3 });
  await host.call(tenant, 'Category/DeleteCategory', { id: category.id });
  expect(await ask()).toMatchObject({ name: 'Lantern', stock: 3, category_id: null });
});

test('returns products in list shape, in the requested order', async () => {
  const a = await host.call(tenant, 'Catalog/CreateProduct', { name: 'A' });
  const b = await host.call(tenant, 'Catalog/CreateProduct', { name: 'B', is_active: false });
  const product_ids = [b.id, '00000000-0000-4000-8000-000000000000', a.id, b.id];
  const answer = await host.call(tenant, 'CatalogDirectory/ProductsByIds', { product_ids });
  const listed = await host.call(tenant, 'Catalog/ListProducts', { ids: [a.id, b.id] });
  expect(answer).toEqual({ products: listed.products });
  const outsider = await host.newTenant();
  expect(await host.call(outsider, 'CatalogDirectory/ProductsByIds', { product_ids })).toEqual({ products: [] });
});

test('returns a variant’s price by itself and by each list, and its categories and collections', async () => {
  const { category } = await host.call(tenant, 'Category/CreateCategory', { name: 'Lamps' });
  const { category: desk } = await host.call(tenant, 'Category/CreateCategory', {
    name: 'Desk lamps',
    parent_id: category.id,
  });
  const lamp = await host.call(tenant, 'Catalog/CreateProduct', {
    name: 'Lamp',
    subcategory_id: desk.id,
    price: 10,
    sale_price: 9,
  });
  const { collection } = await host.call(tenant, 'Collection/CreateCollection', { name: 'Light' });
  await host.call(tenant, 'Collection/SetCollectionProducts', { id: collection.id, product_ids: [lamp.id] });
  const { price_list: list } = await host.call(tenant, 'PriceList/CreatePriceList', {
    name: 'Trade',
    currency: 'EUR',
    customer_group: 'trade',
    starts_at: '2030-01-01T00:00:00Z',
    prices: [
      { variant_id: lamp.variant_id, min_quantity: 10, price: 7 },
      { variant_id: lamp.variant_id, price: 8 },
    ],
  });
  const ask = async () =>
    host.call(tenant, 'CatalogDirectory/PricingVariantsByIds', {
      variant_ids: [lamp.variant_id, lamp.variant_id, tenant.store],
    });
  // The next reader, not the writer, applies a price list.
  await eventually(async () => expect((await ask()).lists).toHaveLength(1));
  expect(await ask()).toEqual({
    revision: expect.any(Number),
    variants: [
      {
        variant_id: lamp.variant_id,
        product_id: lamp.id,
        category_id: category.id,
        subcategory_id: desk.id,
        collection_ids: [collection.id],
        is_active: true,
        price: 1000,
        sale_price: 900,
        list_prices: [
          { price_list_id: list.id, min_quantity: 1, price: 800 },
          { price_list_id: list.id, min_quantity: 10, price: 700 },
        ],
      },
    ],
    lists: [
      {
        id: list.id,
        currency: 'EUR',
        customer_group: 'trade',
        starts_at: Date.parse('2030-01-01T00:00:00Z'),
        ends_at: null,
      },
    ],
  });
  await host.call(tenant, 'Collection/SetCollectionProducts', { id: collection.id, product_ids: [] });
  await host.call(tenant, 'Category/DeleteCategory', { id: desk.id });
  await host.call(tenant, 'PriceList/DeletePriceList', { id: list.id });
  await eventually(async () => expect((await ask()).lists).toEqual([]));
  const after = await ask();
  expect(after.variants[0]).toMatchObject({ subcategory_id: null, collection_ids: [], list_prices: [] });
});

test('returns the ids that do not exist', async () => {
  const { category } = await host.call(tenant, 'Category/CreateCategory', { name: 'Chairs' });
  const chair = await host.call(tenant, 'Catalog/CreateProduct', { name: 'Chair', is_active: false });
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(
    await host.call(tenant, 'CatalogDirectory/MissingIds', {
      product_ids: [chair.id, category.id],
      category_ids: [category.id.toUpperCase(), unknown],
    }),
  ).toEqual({ product_ids: [category.id], category_ids: [unknown], collection_ids: [] });
});
