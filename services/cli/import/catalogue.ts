// The catalogue that each import format is converted to: products as ingestion accepts them, categories, collections
// and customers.

import type { CreateCustomerRequest } from '#proto/gen/account.ts';
import type { CreateCollectionRequest } from '#proto/gen/collection.ts';
import type { CreateProductRequest } from '#proto/gen/product_request.ts';
import type { NewVariant } from '#proto/gen/variant_request.ts';

type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

export type VariantRow = Loose<Omit<NewVariant, 'variant_id'>>;
export type ImportedProduct = Loose<Omit<CreateProductRequest, 'category_id' | 'subcategory_id' | 'variants'>> & {
  readonly external_id: string;
  /** Category names from the root down, such as `Shoes > Running`. */
  readonly category?: string | null | undefined;
  readonly variants?: readonly VariantRow[] | undefined;
};
export type CustomerRow = Loose<Omit<CreateCustomerRequest, 'email'>> & { readonly email: string };
export type CollectionRow = Loose<Omit<CreateCollectionRequest, 'name'>> & { readonly name: string };

export interface FoundProduct {
  /** First row of the product in the file, counted as in a spreadsheet: the header is row 1. */
  readonly row: number;
  /** Last segment of the product's URL in the former shop. */
  readonly handle: string;
  readonly product: ImportedProduct;
  readonly collections: readonly string[];
}

export interface FoundCustomer {
  readonly row: number;
  readonly customer: CustomerRow;
}

export interface Problem {
  readonly row: number | null;
  readonly id: string | null;
  readonly param: string | null;
  readonly message: string;
  readonly whole: boolean;
  /** Whether the file is broken or truncated here; the command then exits with 1. */
  readonly damaged?: boolean;
}

export interface CategoryRow {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly subcategories?: readonly { readonly name: string }[] | undefined;
}

export interface ImportedCatalogue {
  readonly products: readonly FoundProduct[];
  readonly categories: readonly CategoryRow[];
  readonly collections: readonly CollectionRow[];
  readonly customers: readonly FoundCustomer[];
  readonly problems: readonly Problem[];
}

export const EMPTY: ImportedCatalogue = { products: [], categories: [], collections: [], customers: [], problems: [] };

const SKU_MAX = 100;

/**
 * Builds a product with its variants; a single variant is merged into the product. Derives a missing SKU from the
 * handle, because imports match products by SKU.
 */
export const withVariants = (
  product: ImportedProduct,
  handle: string,
  variants: readonly VariantRow[],
): ImportedProduct => {
  const named = variants.map((variant, index) => {
    const end = index === 0 ? '' : `-${index + 1}`;
    return { ...variant, sku: variant.sku || handle.slice(0, SKU_MAX - end.length) + end };
  });
  const [first, ...others] = named;
  if (!first) return product;
  if (others.length > 0)
    return { ...product, variants: named.map((variant, index) => ({ ...variant, is_default: index === 0 })) };
  const { media = [], is_default: _default, ...fields } = first;
  const urls = new Set(product.media?.map(({ url }) => url));
  return {
    ...product,
    ...fields,
    media: [...(product.media ?? []), ...media.filter(({ url }) => !urls.has(url))],
  };
};

export const keyOf = ({ variants, sku }: ImportedProduct): string | null =>
  (variants?.length ? (variants.find((one) => one.is_default) ?? variants[0])?.sku : sku) ?? null;
