// Texts of variants, parsed from the text of their product.
import type { Product } from '#proto/gen/product.ts';
import { detailAnswer } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { VariantEntry, VariantTexts } from './entry.ts';

/** Parses a variant's texts once; the cache needs no invalidation, because a changed variant is a new entry. */
export const textsOf = (variant: VariantEntry, catalogue: Catalogue): VariantTexts => {
  if (variant.texts) return variant.texts;
  const product = JSON.parse(detailAnswer(variant.entry, catalogue).toString()) as Product;
  const own = product.variants?.find(({ variant_id }) => variant_id === variant.id) ?? product;
  variant.texts = {
    name: product.name,
    variant_name: own.variant_name ?? null,
    sku: own.sku ?? null,
    thumbnail_url: own.thumbnail_url ?? product.thumbnail_url,
    requires_shipping: product.shipping_info?.requires_shipping ?? true,
  };
  return variant.texts;
};
