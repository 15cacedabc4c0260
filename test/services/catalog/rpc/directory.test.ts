// What other domains are told of the catalogue.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call.ts';
import { type CatalogHost, openCatalogHost } from '#test/services/catalog/host.ts';

let host: CatalogHost;
let tenant: Tenant;
beforeAll(async () => {
  host = await openCatalogHost();
  tenant = await host.newTenant();
});
afterAll(() => host?.close());

test('how many products a tenant has, and how many of them are active', async () => {
  const other = await host.newTenant();
  expect(await host.call(other, 'CatalogDirectory/CountProducts')).toEqual({ products: 0, active: 0 });
  const { created } = await host.upsert(other, [{ name: 'A' }, { name: 'B' }, { name: 'C', is_active: false }]);
  await host.call(other, 'Catalog/DeleteProduct', { id: created[0] });
  expect(await host.call(other, 'CatalogDirectory/CountProducts')).toEqual({ products: 2, active: 1 });
});

test('what a line needs to know of a variant, with its product’s word where it has none of its own', async () => {
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

test('a variant is told of as it is, however often it was asked for before', async () => {
  const { category } = await host.call(tenant, 'Category/CreateCategory', { name: 'Lights' });
  const lamp = await host.call(tenant, 'Catalog/CreateProduct', { name: 'Lamp', price: 9, category_id: category.id });
  const ask = async () => {
    const asked = { variant_ids: [lamp.variant_id] };
    // As a caller who has seen all that there is.
    return (await host.call(tenant, 'CatalogDirectory/VariantsByIds', asked, 1_000_000)).variants[0];
  };
  expect(await ask()).toMatchObject({ name: 'Lamp', sku: null, price: 9, stock: 0, category_id: category.id });
  await host.call(tenant, 'Catalog/UpdateProduct', { id: lamp.id, name: 'Lantern', sku: 'L', price: 10 });
  expect(await ask()).toMatchObject({ name: 'Lantern', sku: 'L', price: 10, category_id: category.id });
  await host.call(tenant, 'Inventory/CreateAdjustment', { variant_id: lamp.variant_id, delta: 3 });
  await host.call(tenant, 'Category/DeleteCategory', { id: category.id });
  expect(await ask()).toMatchObject({ name: 'Lantern', stock: 3, category_id: null });
});

test('products in list shape, in the order asked for', async () => {
  const a = await host.call(tenant, 'Catalog/CreateProduct', { name: 'A' });
  const b = await host.call(tenant, 'Catalog/CreateProduct', { name: 'B', is_active: false });
  const product_ids = [b.id, '00000000-0000-4000-8000-000000000000', a.id, b.id];
  const answer = await host.call(tenant, 'CatalogDirectory/ProductsByIds', { product_ids });
  const listed = await host.call(tenant, 'Catalog/ListProducts', { ids: [a.id, b.id] });
  expect(answer).toEqual({ products: listed.products });
  const stranger = await host.newTenant();
  expect(await host.call(stranger, 'CatalogDirectory/ProductsByIds', { product_ids })).toEqual({ products: [] });
});
