// products.json: its shape, and completeness while the catalogue changes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { renderProductFeed } from '#services/catalog/feed/product_feed.ts';
import { DATA_FOLDER } from '#test/support/icecat.ts';
import { catalogueOf, NOW, shirt, shoe, store } from './fixture.ts';

const ACP_SCHEMA = join(DATA_FOLDER, '../protocols/acp-2026-04-17/spec/2026-04-17/json-schema/schema.feed.json');

describe('products.json', () => {
  test('holds the active products, newest first, as their details', async () => {
    const catalogue = catalogueOf([shoe, { name: 'Hidden', is_active: false }, shirt]);
    const feed = JSON.parse((await renderProductFeed(store, catalogue, NOW)).toString());
    expect(feed).toMatchObject({
      store: { id: store.id, code: store.code, name: store.name, website_url: store.website_url },
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

  test('holds the feed of the Agentic Commerce Protocol, product for product', async () => {
    const feed = JSON.parse((await renderProductFeed(store, catalogueOf([shoe, shirt]), NOW)).toString());
    expect(feed.acp.products.map(({ id }: { id: string }) => id)).toEqual(
      feed.products.map(({ id }: { id: string }) => id),
    );
    expect(feed.acp.products[1].variants[0]).toMatchObject({ price: { amount: 7_950, currency: 'USD' } });
  });

  test.skipIf(!existsSync(ACP_SCHEMA))('as its published schema wants it', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats(ajv);
    const validate = ajv.compile({ ...JSON.parse(readFileSync(ACP_SCHEMA, 'utf8')), $ref: '#/$defs/ProductsResponse' });
    const catalogue = catalogueOf([shoe, shirt, { name: 'Bare' }]);
    const { acp } = JSON.parse((await renderProductFeed(store, catalogue, NOW)).toString());
    expect(validate(acp), JSON.stringify(validate.errors)).toBe(true);
  });

  test('renders an empty list without products', async () => {
    const feed = JSON.parse((await renderProductFeed(store, catalogueOf([]), NOW)).toString());
    expect([feed.products, feed.acp]).toEqual([[], { products: [] }]);
  });

  test('stays well formed when products are deleted while it is rendered', async () => {
    const rows = Array.from({ length: 450 }, (_, index) => ({ name: `Product ${index}`, price: index }));
    const catalogue = catalogueOf(rows);
    const ids = catalogue.sorted('newest').map(({ id }) => id);
    const rendering = renderProductFeed(store, catalogue, NOW);
    await new Promise((done) => setImmediate(done));
    catalogue.removeProducts(ids.slice(300));
    const { products } = JSON.parse((await rendering).toString());
    expect(products.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 300));
  });
});
