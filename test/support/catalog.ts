// Creates products for tests: plain records of each kind, and merchants who write products over HTTP.
import { randomUUIDv7 } from 'bun';
import type { Product } from '#proto/gen/product.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { ProductRecord, VariantRecord } from '#services/catalog/product.ts';
import { frameOf, type ProductFrame } from '#services/catalog/product_text.ts';
import type { Keys, SendOptions, Stoa } from '#test/support/stoa.ts';
import { currencyOf } from '#values/currency.ts';

export const PRODUCT_FRAME: ProductFrame = frameOf(currencyOf('USD'), '$', 5);

export const someTenant = (environment: Tenant['environment'] = 'production'): Tenant => ({
  store: crypto.randomUUID(),
  environment,
});

export const variantRecord = (given: Partial<VariantRecord> = {}): VariantRecord => ({
  id: randomUUIDv7(),
  is_default: true,
  sku: null,
  name: null,
  attributes: null,
  price: 1999,
  sale_price: null,
  condition: 'new',
  gtin: null,
  mpn: null,
  weight_grams: null,
  dimensions_cm: null,
  low_stock_threshold: null,
  thumbnail_url: null,
  media: '[]',
  created_at: new Date('2026-01-01T00:00:00Z'),
  on_hand: 5,
  version: 1,
  allocated: 0,
  held: 0,
  last_restocked: null,
  ...given,
});

/** A simple product unless it is given more than one variant. */
export const productRecord = (given: Partial<ProductRecord> = {}): ProductRecord => {
  const id = given.id ?? randomUUIDv7();
  return {
    id,
    external_id: null,
    slug: `product-${id.slice(-8)}`,
    name: 'Product',
    description: '',
    category_id: null,
    subcategory_id: null,
    brand: null,
    thumbnail_url: null,
    media: '[]',
    seo_title: null,
    seo_description: null,
    seo_keywords: null,
    featured: false,
    featured_order: 0,
    tags: null,
    google_product_category: null,
    meta_product_category: null,
    attributes: null,
    shipping_info: null,
    specifications: '[]',
    translations: null,
    is_active: true,
    has_variants: (given.variants?.length ?? 1) > 1,
    average_rating: null,
    review_count: 0,
    created_at: new Date('2026-01-01T00:00:00Z'),
    updated_at: new Date('2026-01-01T00:00:00Z'),
    published_at: new Date('2026-01-01T00:00:00Z'),
    variants: [variantRecord()],
    ...given,
  };
};

/** A merchant at their own store: `secret('POST', '/v1/products', {…})`. */
export interface Merchant {
  readonly keys: Keys;
  readonly tenant: Tenant;
  readonly secret: Sender;
  readonly publishable: Sender;
  readonly test: Sender;
  /** A product as its creation answers it. */
  createProduct(body?: Readonly<Record<string, unknown>>): Promise<Product>;
}

/** An event as the outbox holds it. */
export interface StoredEvent {
  readonly type: string;
  readonly object: Record<string, unknown>;
  readonly previous_attributes?: Record<string, unknown>;
}

type Sender = (
  method: string,
  path: string,
  body?: unknown,
  options?: Omit<SendOptions, 'body' | 'key'>,
) => ReturnType<Stoa['send']>;

export const openMerchant = async (stoa: Stoa, store: Readonly<Record<string, unknown>> = {}): Promise<Merchant> => {
  const keys = await stoa.createStore(store);
  const tenant: Tenant = { store: keys.store_id, environment: 'production' };
  const sender =
    (key: string): Sender =>
    (method, path, body, options = {}) =>
      stoa.send(method, path, { ...options, key, ...(body === undefined ? {} : { body }) });
  const secret = sender(keys.secret_key);
  return {
    keys,
    tenant,
    secret,
    publishable: sender(keys.publishable_key),
    test: sender(keys.secret_test_key),
    async createProduct(body = {}) {
      const reply = await secret('POST', '/v1/products', { name: 'Trail shoe', price: 19.99, stock: 5, ...body });
      if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
      return reply.body as Product;
    },
  };
};
