// What other domains ask of the catalogue.
import type { CatalogDirectoryRpcs, Product, VariantSummary } from '#proto/gen/catalog.ts';
import { Rendered } from '#runtime/call.ts';
import { type Handlers, query } from '#runtime/rpc.ts';
import { detailAnswer, productsAnswer } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { VariantEntry } from '#services/catalog/memory/entry.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { countProducts } from '#services/catalog/table/product.ts';
import { toMajor } from '#values/money.ts';
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

interface Texts {
  readonly name: string;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly thumbnail_url: string | null;
  readonly requires_shipping: boolean;
}

/** Read back out of the product's own text the first time that they are asked for; a changed variant is a new entry. */
const known = new WeakMap<VariantEntry, Texts>();

const textsOf = (variant: VariantEntry, catalogue: Catalogue): Texts => {
  let texts = known.get(variant);
  if (!texts) {
    const product = JSON.parse(detailAnswer(variant.entry, catalogue).toString()) as Product;
    const own = product.variants?.find(({ variant_id }) => variant_id === variant.id) ?? product;
    texts = {
      name: product.name,
      variant_name: own.variant_name ?? null,
      sku: own.sku ?? null,
      thumbnail_url: own.thumbnail_url ?? product.thumbnail_url,
      requires_shipping: product.shipping_info?.requires_shipping ?? true,
    };
    known.set(variant, texts);
  }
  return texts;
};

const summaryOf = (variant: VariantEntry, catalogue: Catalogue): VariantSummary => {
  const { entry } = variant;
  const { currency } = catalogue.frame;
  const amount = (minor: number | null): number | null => (minor === null ? null : toMajor(minor, currency));
  const category = (id: string | null): string | null => (id === null ? null : (catalogue.category(id)?.id ?? null));
  const { requires_shipping, ...texts } = textsOf(variant, catalogue);
  return {
    variant_id: variant.id,
    product_id: entry.id,
    ...texts,
    category_id: category(entry.category_id),
    subcategory_id: category(entry.subcategory_id),
    is_active: entry.active,
    currency: currency.code,
    price: amount(variant.price),
    sale_price: amount(variant.sale_price),
    selling_price: amount(variant.selling_price),
    stock: variant.stock,
    weight_grams: variant.weight_grams,
    requires_shipping,
  };
};
