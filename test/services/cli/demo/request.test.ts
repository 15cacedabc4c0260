// Every request body of the demo shop passes the edge's validators.

import { TypeCompiler } from '@sinclair/typebox/compiler';
import { describe, expect, test } from 'vitest';
import { CreateCollectionRequest } from '#proto/gen/collection.schema.ts';
import { CreateProductRequest } from '#proto/gen/product_request.schema.ts';
import * as store from '#proto/gen/store.schema.ts';
import { CATEGORIES, COLLECTIONS, POLICIES, PRODUCTS, TRANSLATIONS } from '#services/cli/demo/data.ts';
import { collectionRequest, productRequest } from '#services/cli/demo/request.ts';
import { profile, RETAIL_SHOP } from '#services/cli/demo/retail.ts';

const PICTURES = 'http://127.0.0.1:8080/demo/pictures';
const ids = new Map(
  CATEGORIES.flatMap(({ subcategories }) => subcategories).map(({ name }, index) => [
    name,
    `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  ]),
);
const refusals = (schema: Parameters<typeof TypeCompiler.Compile>[0], body: unknown) =>
  [...TypeCompiler.Compile(schema).Errors(body)].map(({ path, message }) => `${path}: ${message}`);

describe('a product', () => {
  test.each(PRODUCTS.map((product) => [product.name, product] as const))(
    '%s is sent as the contract says',
    (_, product) => {
      expect(refusals(CreateProductRequest, productRequest(product, RETAIL_SHOP, ids, PICTURES))).toEqual([]);
    },
  );

  test('sends a single variant flat and several as variants, the default first', () => {
    for (const product of PRODUCTS) {
      const body = productRequest(product, RETAIL_SHOP, ids, PICTURES);
      if (product.variants.length === 1) {
        expect(body).toMatchObject({ sku: product.variants[0].sku, price: product.variants[0].price });
        expect(body).not.toHaveProperty('variants');
      } else {
        expect(body).not.toHaveProperty('sku');
        expect(body.variants?.map(({ is_default }) => is_default)).toEqual(product.variants.map((_, at) => at === 0));
      }
    }
  });

  test('shows each of its pictures once, and each variant its own', () => {
    const mug = PRODUCTS.find(({ name }) => name === 'Highland Mug')!;
    const body = productRequest(mug, RETAIL_SHOP, ids, PICTURES);
    expect(body.media?.map(({ url, position }) => [url, position])).toEqual([
      [`${PICTURES}/mug-indigo.svg`, 1],
      [`${PICTURES}/mug-clay.svg`, 2],
      [`${PICTURES}/mug-oat.svg`, 3],
    ]);
    expect(body.variants?.[1]).toMatchObject({
      variant_name: 'Clay',
      media: [{ url: `${PICTURES}/mug-clay.svg`, position: 1 }],
    });
  });
});

test.each(COLLECTIONS.map((it) => [it.name, it] as const))(
  'the collection %s is sent as the contract says',
  (_, it) => {
    expect(refusals(CreateCollectionRequest, collectionRequest(it, 1, PICTURES, TRANSLATIONS))).toEqual([]);
  },
);

test.each(POLICIES.map((it) => [it.type, it] as const))('the %s policy is sent as the contract says', (_, policy) => {
  expect(refusals(store.PutPolicyRequest, { ...policy, publish: true })).toEqual([]);
});

test('all five policies are there', () => {
  expect(POLICIES.map(({ type }) => type).sort()).toEqual(['privacy', 'refund', 'returns', 'shipping', 'terms']);
});

test('the profile is sent as the contract says', () => {
  expect(refusals(store.UpdateStoreRequest, profile(PICTURES))).toEqual([]);
});
