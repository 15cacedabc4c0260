// A product's offers for feeds and channels: each variant that can be bought, with its page and its title. Pure.
import type { Product, Variant } from '#proto/gen/product.ts';

export interface FeedSeller {
  readonly name: string;
  readonly website_url: string | null;
}

/** The fields of a variant, or of a simple product itself. */
export type FeedOffer = Pick<
  Variant,
  | 'variant_id'
  | 'sku'
  | 'variant_name'
  | 'variant_attributes'
  | 'price'
  | 'selling_price'
  | 'stock'
  | 'condition'
  | 'gtin'
  | 'mpn'
  | 'thumbnail_url'
  | 'media'
>;

export const offersOf = (product: Product): readonly FeedOffer[] => {
  if (product.variants) return product.variants;
  const { variant_id, variant_name, variant_attributes, sku, price, selling_price, stock, condition, gtin, mpn } =
    product;
  return [
    {
      variant_id: variant_id ?? product.id,
      variant_name: variant_name ?? null,
      variant_attributes: variant_attributes ?? null,
      sku: sku ?? null,
      price: price ?? null,
      selling_price: selling_price ?? null,
      stock: stock ?? 0,
      condition: condition ?? 'new',
      gtin: gtin ?? null,
      mpn: mpn ?? null,
      thumbnail_url: product.thumbnail_url,
      media: [],
    },
  ];
};

/** The product's page in the storefront: `products/<slug>`; null where the store names no website. */
export const pageOf = ({ website_url }: FeedSeller, { product_slug }: Product): string | null => {
  const website = website_url === null ? null : URL.parse(website_url);
  if (website === null || product_slug === null) return null;
  return `${website.origin}${website.pathname.replace(/(?<!\/)\/+$/, '')}/products/${product_slug}`;
};

export const titleOf = (product: Product, { variant_name }: FeedOffer): string =>
  product.has_variants && variant_name ? `${product.name} - ${variant_name}` : product.name;
