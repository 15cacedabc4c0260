// The shapes of a product, word by word against the specification's table: which field stands where, and as what.
import { beforeAll, describe, expect, test } from 'vitest';
import type { ListedProduct, Product } from '#proto/gen/product.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

// Documented fields of a product, by the places that show them.
const EVERYWHERE = [
  ...['id', 'product_id', 'name', 'description', 'category_id', 'subcategory_id', 'category_name', 'subcategory_name'],
  ...['brand', 'thumbnail_url', 'media', 'product_slug', 'seo_title', 'seo_description', 'seo_keywords', 'featured'],
  ...['featured_order', 'tags', 'google_product_category', 'meta_product_category', 'attributes', 'shipping_info'],
  ...['created_at', 'updated_at', 'is_active', 'average_rating', 'review_count', 'has_variants', 'display_currency'],
  'currency_symbol',
];
const SIMPLE_AND_LIST = [
  ...['variant_id', 'sku', 'price', 'sale_price', 'selling_price', 'stock', 'variant_attributes', 'variant_name'],
  ...['is_default', 'condition', 'gtin', 'mpn', 'weight_grams', 'dimensions_cm'],
];
const MULTI_VARIANT = ['total_stock', 'price_range', 'variant_count'];
const VARIANT = [
  ...['variant_id', 'sku', 'variant_name', 'variant_attributes', 'is_default', 'price', 'sale_price', 'selling_price'],
  ...['stock', 'low_stock_threshold', 'condition', 'gtin', 'mpn', 'weight_grams', 'dimensions_cm', 'last_restocked'],
  ...['thumbnail_url', 'media'],
];

const keysOf = (object: object): string[] => Object.keys(object).sort();
const set = (...lists: string[][]): string[] => lists.flat().sort();

/** A product that says everything it can. */
const WHOLE = {
  name: 'Trail Shoe “Läufer”',
  description: 'Runs\nby itself.',
  brand: 'Acme',
  media: [
    { type: 'video', url: 'https://cdn.example/run.mp4', poster_url: 'https://cdn.example/run.jpg' },
    { url: 'https://cdn.example/shoe.jpg', alt_text: 'A shoe', width: 800, height: 600 },
  ],
  seo_title: 'Shoe',
  seo_description: 'A shoe.',
  seo_keywords: ['shoe', 'trail'],
  featured: true,
  featured_order: 2.5,
  tags: ['new', 'sale'],
  google_product_category: 'Apparel > Shoes',
  meta_product_category: 'clothing/shoes',
  attributes: { colour: 'red', layers: 3, vegan: true, care: ['wash', 'dry'] },
  shipping_info: { requires_shipping: true, weight_grams: 850, length_cm: 30, width_cm: 20, height_cm: 10.5 },
};

const list = async (query = '', sender = merchant.publishable): Promise<ListedProduct[]> =>
  (await sender('GET', `/v1/products${query}`)).body.products;

describe('a simple product', () => {
  let product: Product;
  beforeAll(async () => {
    product = await merchant.createProduct({
      ...WHOLE,
      sku: 'SHOE-1',
      price: 79.9,
      sale_price: 59.95,
      stock: 12,
      condition: 'refurbished',
      gtin: '4006381333931',
      mpn: 'TS-1',
      weight_grams: 640,
      dimensions_cm: '30 x 20 x 10',
      variant_name: 'One size',
      variant_attributes: { size: 'one' },
    });
  });

  test('reads in its detail as written, flat, without `variants`', async () => {
    const { body, headers } = await merchant.publishable('GET', `/v1/products/${product.id}`);
    expect(keysOf(body)).toEqual(set(EVERYWHERE, SIMPLE_AND_LIST, ['last_restocked']));
    expect(body).toEqual(product);
    const { media, ...whole } = WHOLE;
    expect(body).toMatchObject({
      ...whole,
      product_id: product.id,
      product_slug: `trail-shoe-laufer-${product.id.slice(-8)}`,
      thumbnail_url: 'https://cdn.example/shoe.jpg',
      price: 79.9,
      sale_price: 59.95,
      selling_price: 59.95,
      stock: 12,
      last_restocked: null,
      condition: 'refurbished',
      gtin: '4006381333931',
      is_default: true,
      has_variants: false,
      average_rating: null,
      review_count: 0,
      display_currency: 'USD',
      currency_symbol: '$',
    });
    expect(body.media).toEqual(
      media.map((item, at) => ({
        id: expect.any(String),
        type: 'image',
        alt_text: null,
        width: null,
        height: null,
        poster_url: null,
        ...item,
        position: at + 1,
      })),
    );
    expect(headers.get('cache-control')).toBe('private, max-age=0, must-revalidate');
  });

  test('reads in the list the same, without `last_restocked` unless `fields` names it', async () => {
    const { last_restocked: _restocked, ...listed } = product;
    expect(await list(`?ids=${product.id}`)).toEqual([listed]);
    const today = (): string => new Date().toISOString().slice(0, 10);
    const before = today();
    await merchant.secret('PATCH', `/v1/products/${product.id}`, { stock: 13 });
    expect(await list(`?ids=${product.id}&fields=id,last_restocked`)).toEqual([
      { id: product.id, last_restocked: expect.toBeOneOf([before, today()]) },
    ]);
    expect(await list(`?ids=${product.id}&fields=condition,gtin,mpn,weight_grams,dimensions_cm,tags`)).toEqual([
      {
        condition: 'refurbished',
        gtin: '4006381333931',
        mpn: 'TS-1',
        weight_grams: 640,
        dimensions_cm: '30 x 20 x 10',
        tags: ['new', 'sale'],
      },
    ]);
  });

  test('reads by its slug, letter case minded', async () => {
    const slug = product.product_slug!;
    expect((await merchant.publishable('GET', `/v1/products/by-slug/${slug}`)).body.id).toBe(product.id);
    expect((await merchant.publishable('GET', `/v1/products/by-slug/${slug}x`)).status).toBe(404);
    for (const bad of [slug.toUpperCase(), `-${slug}`, `${slug}.`, 'a'.repeat(201), '%20', 'a_b', '..%2fx']) {
      const { status, body } = await merchant.publishable('GET', `/v1/products/by-slug/${bad}`);
      expect([bad, status]).toEqual([bad, 400]);
      expect(body.error.param).toBe('slug');
    }
    expect((await merchant.publishable('GET', `/v1/products/by-slug/${'a'.repeat(200)}`)).status).toBe(404);
  });

  test('returns exactly the fields that are named', async () => {
    const read = async (path: string) => (await merchant.publishable('GET', path)).body;
    expect(
      await read(
        `/v1/products/${product.id}?fields=name,attributes.colour,attributes.nothing,shipping_info.weight_grams`,
      ),
    ).toEqual({
      name: WHOLE.name,
      attributes: { colour: 'red' },
      shipping_info: { weight_grams: 850 },
    });
    expect(await read(`/v1/products/by-slug/${product.product_slug}?fields=variant_attributes.size`)).toEqual({
      variant_attributes: { size: 'one' },
    });
    for (const path of [
      `/v1/products/${product.id}?fields=nme`,
      '/v1/products?fields=variants.sku',
      '/v1/products?fields=id,',
    ]) {
      const { status, body } = await merchant.publishable('GET', path);
      expect([path, status, body.error.param]).toEqual([path, 400, 'fields']);
    }
  });
});

describe('a bare product', () => {
  test('shows every field of a bare product, without a value as null', async () => {
    const { body } = await merchant.secret('POST', '/v1/products', { name: 'Bare' });
    expect(keysOf(body)).toEqual(set(EVERYWHERE, SIMPLE_AND_LIST, ['last_restocked']));
    const nulls = Object.entries(body).filter(([, value]) => value === null);
    expect(nulls.map(([name]) => name).sort()).toEqual(
      set(
        ['category_id', 'subcategory_id', 'category_name', 'subcategory_name', 'brand', 'thumbnail_url', 'seo_title'],
        ['seo_description', 'seo_keywords', 'tags', 'google_product_category', 'meta_product_category', 'attributes'],
        ['shipping_info', 'average_rating', 'sku', 'price', 'sale_price', 'selling_price', 'variant_attributes'],
        ['variant_name', 'gtin', 'mpn', 'weight_grams', 'dimensions_cm', 'last_restocked'],
      ),
    );
    expect(body).toMatchObject({
      description: '',
      media: [],
      stock: 0,
      condition: 'new',
      featured_order: 0,
      is_active: true,
    });
  });
});

describe('a multi-variant product', () => {
  let product: Product;
  beforeAll(async () => {
    product = await merchant.createProduct({
      ...WHOLE,
      name: 'Shirt',
      variants: [
        {
          sku: 'S',
          price: 10,
          stock: 3,
          variant_name: 'Small',
          variant_attributes: { size: 'S' },
          low_stock_threshold: 1,
        },
        {
          sku: 'M',
          price: 12.5,
          sale_price: 8,
          stock: 0,
          is_default: true,
          media: [{ url: 'https://cdn.example/m.jpg' }],
        },
        { sku: 'L', price: 15, stock: 4, condition: 'used' },
      ],
    });
  });

  test('reads in its detail with aggregates and `variants`, without variant fields at the root', async () => {
    const { body } = await merchant.publishable('GET', `/v1/products/${product.id}`);
    expect(body).toEqual(product);
    expect(keysOf(body)).toEqual(set(EVERYWHERE, MULTI_VARIANT, ['variants']));
    expect(body).toMatchObject({
      has_variants: true,
      variant_count: 3,
      total_stock: 7,
      price_range: { min: 8, max: 15, currency: 'USD' },
    });
    for (const variant of body.variants) expect(keysOf(variant)).toEqual(set(VARIANT));
    expect(body.variants).toMatchObject([
      {
        sku: 'S',
        selling_price: 10,
        is_default: false,
        low_stock_threshold: 1,
        variant_attributes: { size: 'S' },
        thumbnail_url: null,
      },
      {
        sku: 'M',
        selling_price: 8,
        sale_price: 8,
        is_default: true,
        stock: 0,
        thumbnail_url: 'https://cdn.example/m.jpg',
      },
      { sku: 'L', selling_price: 15, condition: 'used' },
    ]);
  });

  test('reads in the list flat, with the default variant’s data and the aggregates', async () => {
    const [listed] = await list(`?ids=${product.id}`);
    expect(keysOf(listed!)).toEqual(set(EVERYWHERE, SIMPLE_AND_LIST, MULTI_VARIANT));
    expect(listed).toMatchObject({
      sku: 'M',
      price: 12.5,
      selling_price: 8,
      stock: 0,
      total_stock: 7,
      variant_count: 3,
    });
  });

  test('returns fields of its variants by name', async () => {
    const { body } = await merchant.publishable('GET', `/v1/products/${product.id}?fields=variants.sku,variants.price`);
    expect(body).toEqual({
      variants: [
        { sku: 'S', price: 10 },
        { sku: 'M', price: 12.5 },
        { sku: 'L', price: 15 },
      ],
    });
  });

  test('gains, changes and loses variants one at a time', async () => {
    const path = `/v1/products/${product.id}/variants`;
    const added = await merchant.secret('POST', `/v1/products/${product.id}/variants`, {
      sku: 'XL',
      price: 20,
      stock: 1,
    });
    expect([added.status, added.body.variant_count, added.body.total_stock]).toEqual([201, 4, 8]);
    const id = added.body.variants[3].variant_id;
    const changed = await merchant.secret('PATCH', `/v1/products/${product.id}/variants/${id}`, {
      price: 21,
      is_default: true,
    });
    expect(changed.body.variants.map((one: { is_default: boolean }) => one.is_default)).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(changed.body.price_range.max).toBe(21);
    const gone = await merchant.secret('DELETE', `/v1/products/${product.id}/variants/${id}`);
    expect([gone.status, gone.body]).toEqual([200, { deleted: true, id }]);
    expect((await merchant.secret('DELETE', `${path}/${id}`)).status).toBe(404);
    expect((await merchant.secret('PATCH', `${path}/${id}`, {})).status).toBe(404);
    const { body } = await merchant.publishable('GET', `/v1/products/${product.id}`);
    expect([body.variant_count, body.variants[0].is_default]).toEqual([3, true]);
  });

  test('keeps its last variant', async () => {
    const { variants, id } = await merchant.createProduct({ variants: [{ sku: 'only' }] });
    const { status, body } = await merchant.secret('DELETE', `/v1/products/${id}/variants/${variants![0]!.variant_id}`);
    expect([status, body.error.code]).toEqual([409, 'conflict']);
  });

  test('turns a simple product with a second variant into a multi-variant one', async () => {
    const simple = await merchant.createProduct({ sku: 'first', price: 5 });
    const { body } = await merchant.secret('POST', `/v1/products/${simple.id}/variants`, { sku: 'second', price: 6 });
    expect(body.has_variants).toBe(true);
    expect(body.variants).toMatchObject([
      { variant_id: simple.variant_id, sku: 'first', is_default: true },
      { sku: 'second' },
    ]);
  });
});

describe('a selling price', () => {
  test.each([
    [10, null, 10],
    [10, 8, 8],
    [10, 10, 10],
    [10, 12, 10],
    [10, 0, 0],
    [0, null, 0],
    [null, null, null],
  ])('of price %j and sale price %j is %j', async (price, sale_price, selling_price) => {
    expect(await merchant.createProduct({ price, sale_price })).toMatchObject({ price, sale_price, selling_price });
  });

  test.each([
    ['JPY', 1999],
    ['KWD', 1.234],
  ])('in %s is %d', async (currency, price) => {
    const abroad = await openMerchant(stoa, { currency });
    const product = await abroad.createProduct({ price });
    expect(product).toMatchObject({ price, selling_price: price, display_currency: currency });
    const { status, body } = await abroad.secret('POST', '/v1/products', { name: 'Too fine', price: price + 0.0001 });
    expect([status, body.error.param]).toEqual([400, 'price']);
  });
});

describe('specifications', () => {
  test('writes specifications with the product and reads them alone', async () => {
    const specifications = [
      { group: 'Body', name: 'Weight', value: 850, unit: 'g' },
      { name: 'Waterproof', value: true },
      { group: null, name: 'Note', value: 'é "quoted"', unit: null },
    ];
    const product = await merchant.createProduct({ specifications });
    const { body } = await merchant.publishable('GET', `/v1/products/${product.id}/specifications`);
    expect(body).toEqual({ specifications: specifications.map((line) => ({ group: null, unit: null, ...line })) });
    const named = await merchant.publishable('GET', `/v1/products/${product.id}/specifications?fields=name`);
    expect(named.body).toEqual({ specifications: [{ name: 'Weight' }, { name: 'Waterproof' }, { name: 'Note' }] });
    const bare = await merchant.createProduct();
    expect((await merchant.publishable('GET', `/v1/products/${bare.id}/specifications`)).body).toEqual({
      specifications: [],
    });
    expect((await merchant.publishable('GET', `/v1/products/${UNKNOWN_ID}/specifications`)).status).toBe(404);
  });
});
