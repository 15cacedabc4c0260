// Exports a store: categories, collections, products and customers, one object per line.
import type { GetSpecificationsResponse } from '#proto/gen/catalog.ts';
import type { ListCategoriesResponse } from '#proto/gen/category.ts';
import type { ProductCollection } from '#proto/gen/collection.ts';
import type { Customer } from '#proto/gen/customer.ts';
import type { ListedProduct, Product, Variant } from '#proto/gen/product.ts';
import type { MediaItem } from '#proto/gen/shared.ts';
import { eachOf, type ImportTarget } from './shop.ts';

const PRODUCTS_AT_ONCE = 8;

const mediaRows = (media: readonly MediaItem[]) => media.map(({ id: _id, ...shown }) => shown);

const variantRow = ({ variant_id: _id, selling_price: _price, last_restocked: _day, media, ...variant }: Variant) => ({
  ...variant,
  media: mediaRows(media),
});

const soldRow = (product: Product) => {
  if (product.has_variants) return { variants: (product.variants ?? []).map(variantRow) };
  const { sku, price, sale_price, stock, condition, gtin, mpn, weight_grams, dimensions_cm } = product;
  const { variant_name, variant_attributes } = product;
  return {
    ...{ sku, price, sale_price, stock, condition, gtin, mpn, weight_grams, dimensions_cm },
    ...{ variant_name, variant_attributes },
  };
};

const productRow = (
  product: Product,
  specifications: GetSpecificationsResponse['specifications'],
  collections: readonly string[],
) => {
  const { name, description, brand, thumbnail_url, seo_title, seo_description, seo_keywords, tags } = product;
  const { featured, featured_order, google_product_category, meta_product_category, attributes } = product;
  const { shipping_info, is_active, category_name, subcategory_name } = product;
  return {
    kind: 'product',
    external_id: product.product_slug ?? product.id,
    handle: product.product_slug ?? product.id,
    category: [category_name, subcategory_name].filter(Boolean).join(' > ') || null,
    collections,
    ...{ name, description, brand, thumbnail_url, seo_title, seo_description, seo_keywords, tags },
    ...{ featured, featured_order, google_product_category, meta_product_category, attributes },
    ...{ shipping_info, is_active, specifications, media: mediaRows(product.media) },
    ...soldRow(product),
  };
};

const withoutTimes = <T extends { readonly id: string; readonly created_at: string; readonly updated_at: string }>({
  id: _id,
  created_at: _created,
  updated_at: _updated,
  ...rest
}: T) => rest;

export interface ImportCounts {
  readonly categories: number;
  readonly collections: number;
  readonly products: number;
  readonly customers: number;
}

/** Streams the export page by page. Only one page and the products' collections are in memory. */
export const writeStore = async (
  shop: ImportTarget,
  write: (line: object) => void,
  onProgress: (done: number) => void,
): Promise<ImportCounts> => {
  const { categories } = await shop.get<ListCategoriesResponse>('/v1/categories');
  for (const { name, description, subcategories } of categories)
    write({ kind: 'category', name, description, subcategories: subcategories.map((sub) => ({ name: sub.name })) });
  const collections = await shop.all<ProductCollection>('/v1/product-collections', 'collections', 100);
  const within = new Map<string, string[]>();
  for (const collection of collections) {
    write({ kind: 'collection', ...withoutTimes(collection) });
    const path = `/v1/products?collection_id=${collection.id}&sort=collection&fields=id`;
    for (const { id } of await shop.all<Pick<ListedProduct, 'id'>>(path, 'products', 100))
      within.set(id, [...(within.get(id) ?? []), collection.name]);
  }
  let products = 0;
  for await (const page of shop.pages<Pick<ListedProduct, 'id'>>('/v1/products?fields=id', 'products', 100)) {
    const rows = new Map<string, object>();
    await eachOf(page, PRODUCTS_AT_ONCE, async ({ id }) => {
      const product = await shop.get<Product>(`/v1/products/${id}`);
      const { specifications } = await shop.get<GetSpecificationsResponse>(`/v1/products/${id}/specifications`);
      rows.set(id, productRow(product, specifications, within.get(id) ?? []));
    });
    for (const { id } of page) write(rows.get(id)!);
    products += page.length;
    onProgress(products);
  }
  let customers = 0;
  for await (const page of shop.pages<Customer>('/v1/customers', 'customers', 100)) {
    for (const customer of page) write({ kind: 'customer', ...withoutTimes(customer) });
    customers += page.length;
  }
  return { categories: categories.length, collections: collections.length, products, customers };
};
