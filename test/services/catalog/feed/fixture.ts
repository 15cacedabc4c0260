// A store, its categories and two products in memory, for tests of feeds.
import { Refusal } from '#runtime/call/call.ts';
import type { FeedStore } from '#services/catalog/feed/feed_store.ts';
import { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { type CategoryRecord, type ProductRow, writeProduct } from '#services/catalog/product.ts';
import { frameOf } from '#services/catalog/product_text.ts';
import { currencyOf } from '#values/currency.ts';

export const NOW = new Date('2026-11-21T09:30:00Z');
const SHOES = '01900000-0000-7000-8000-000000000001';
export const RUNNING = '01900000-0000-7000-8000-000000000002';

export const store: FeedStore = {
  id: '01900000-0000-7000-8000-00000000000a',
  code: 'acme-outdoor',
  name: 'Acme <Outdoor> & Söhne',
  description: 'Shoes "for" the road.\nAnd boots.',
  website_url: 'https://shop.example/en/',
  currency: 'USD',
  country: 'KE',
  agents: { mcp: true, acp: false, ucp: true },
  language: undefined,
  base: 'https://api.example/s/acme-outdoor',
};

const category = (id: string, name: string, parent_id: string | null = null): CategoryRecord => ({
  id,
  parent_id,
  name,
  slug: name.toLowerCase(),
  description: null,
  position: null,
  translations: null,
  created_at: NOW,
  updated_at: NOW,
});
const categories = [category(SHOES, 'Shoes'), category(RUNNING, 'Running', SHOES)];

export const catalogueOf = (rows: readonly ProductRow[], code = 'USD'): Catalogue => {
  const currency = currencyOf(code)!;
  const catalogue = new Catalogue(frameOf(currency, '$', 5));
  catalogue.putCategories(categories, []);
  catalogue.putProducts(
    rows.map((row, index) => {
      const now = new Date(NOW.getTime() + index * 1_000);
      const today = now.toISOString().slice(0, 10);
      const around = {
        currency,
        now,
        today,
        languages: ['en'],
        category: (id: string) => categories.find((one) => one.id === id),
      };
      const product = writeProduct(null, row, around);
      if (product instanceof Refusal) throw new Error(product.message);
      return product;
    }),
  );
  return catalogue;
};

export const shoe: ProductRow = {
  name: 'Trail shoe',
  description: 'Light <and> strong & "quick".',
  subcategory_id: RUNNING,
  brand: 'Acme & Co',
  media: [{ url: 'https://cdn.example/1.jpg?a=1&b=2' }, { url: 'https://cdn.example/2.jpg' }],
  google_product_category: '187',
  sku: 'TS-1',
  price: 100,
  sale_price: 79.5,
  stock: 3,
  gtin: '4006381333931',
  mpn: 'M-1',
  weight_grams: 850,
  featured: true,
};
export const shirt: ProductRow = {
  name: 'Shirt',
  media: [{ url: 'https://cdn.example/shirt.jpg' }],
  variants: [
    { sku: 'S-M', price: 20, stock: 0, variant_name: 'M / red', variant_attributes: { Colour: 'red', size: 'M' } },
    {
      sku: 'x'.repeat(60),
      price: 25,
      stock: 9,
      variant_name: 'L',
      variant_attributes: { size: 'L', fit: 'slim' },
      media: [{ url: 'https://cdn.example/l.jpg' }],
    },
  ],
};
