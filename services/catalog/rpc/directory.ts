// What other domains ask of the catalogue.
import type { CatalogDirectoryRpcs, Product, VariantSummary } from '#proto/gen/catalog.ts';
import { Rendered } from '#runtime/call.ts';
import { type Handlers, query } from '#runtime/rpc.ts';
import { detailAnswer, productsAnswer } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { VariantEntry } from '#services/catalog/memory/entry.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { countProducts } from '#services/catalog/table/product.ts';
import { fromMemory, rendered } from './product.ts';

export const directoryHandlers = (pool: CataloguePool): Handlers<CatalogDirectoryRpcs> => ({
  CountProducts: query((sql, { tenant }) => countProducts(sql, tenant)),

  VariantsByIds: fromMemory<CatalogDirectoryRpcs['VariantsByIds']>(pool, (catalogue, _call, { variant_ids }) => {
    const variants: VariantSummary[] = [];
    for (const id of new Set(variant_ids)) {
      const variant = catalogue.variant(id);
      if (variant) variants.push(summaryOf(variant, catalogue));
    }
    return rendered({ variants }, catalogue.revision);
  }),

  ProductsByIds: fromMemory<CatalogDirectoryRpcs['ProductsByIds']>(pool, (catalogue, _call, { product_ids }) => {
    const entries = [...new Set(product_ids)].flatMap((id) => catalogue.product(id) ?? []);
    return new Rendered(productsAnswer(entries, catalogue), catalogue.revision);
  }),
});

/** The texts are read back out of the product's own: nothing is kept twice for it. */
const summaryOf = (variant: VariantEntry, catalogue: Catalogue): VariantSummary => {
  const { entry } = variant;
  const product = JSON.parse(detailAnswer(entry, catalogue).toString()) as Product;
  const own = product.variants?.find(({ variant_id }) => variant_id === variant.id) ?? product;
  return {
    variant_id: variant.id,
    product_id: entry.id,
    name: product.name,
    variant_name: own.variant_name ?? null,
    sku: own.sku ?? null,
    thumbnail_url: own.thumbnail_url ?? product.thumbnail_url,
    category_id: product.category_id,
    subcategory_id: product.subcategory_id,
    is_active: entry.active,
    currency: product.display_currency,
    price: own.price ?? null,
    sale_price: own.sale_price ?? null,
    selling_price: own.selling_price ?? null,
    stock: variant.stock,
    weight_grams: variant.weight_grams,
    requires_shipping: product.shipping_info?.requires_shipping ?? true,
  };
};
