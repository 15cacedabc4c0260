// Handlers by which other domains read the catalogue.
import type {
  CatalogDirectoryRpcs,
  MissingIdsRequest,
  Offer,
  Offered,
  OffersByIdsRequest,
  PricingList,
  PricingVariant,
  RefreshStoreRequest,
  VariantSummary,
} from '#proto/gen/catalog_directory.ts';
import { Rendered, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, read } from '#runtime/domain/rpc.ts';
import { productsAnswer, textsOf } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { VariantEntry } from '#services/catalog/memory/entry.ts';
import type { PartRequest } from '#services/catalog/memory/part.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { translatedNames } from '#services/catalog/memory/translated_product.ts';
import { hasProducts } from '#services/catalog/table/product.ts';
import { toMajor } from '#values/money.ts';
import { fromPart, rendered } from './product.ts';

export const namedVariants = ({ variant_ids }: { readonly variant_ids: readonly string[] }): PartRequest => ({
  variants: variant_ids,
});

const namedProducts = ({ product_ids }: { readonly product_ids: readonly string[] }): PartRequest => ({
  products: product_ids,
});

const offeredParts = ({ offered, collection_ids }: OffersByIdsRequest): PartRequest => ({
  products: offered.map(({ product_id }) => product_id),
  variants: offered.flatMap(({ variant_id }) => variant_id ?? []),
  collections: collection_ids,
});

const namedParts = ({ product_ids = [], category_ids = [], collection_ids = [] }: MissingIdsRequest): PartRequest => ({
  products: product_ids,
  categories: category_ids,
  collections: collection_ids,
});

export const directoryHandlers = (
  pool: CataloguePool,
  refreshed: (tenant: Tenant) => Promise<void>,
): Omit<Handlers<CatalogDirectoryRpcs>, 'RefreshRatings'> => ({
  RefreshStore: read(async ({ tenant }, _input: RefreshStoreRequest) => {
    await refreshed(tenant);
    return {};
  }),

  PricingVariantsByIds: fromPart<CatalogDirectoryRpcs['PricingVariantsByIds']>(
    pool,
    namedVariants,
    (catalogue, _call, { variant_ids }) => {
      const variants = [...new Set(variant_ids)].flatMap((id) => catalogue.variant(id) ?? []);
      const lists = new Map(
        variants.flatMap(({ id }) => catalogue.listPricesOf(id).map(({ list }) => [list.id, list])),
      );
      const priceLists: PricingList[] = Array.from(lists.values(), ({ id, currency, group, startsAt, endsAt }) => ({
        id,
        currency,
        customer_group: group,
        starts_at: startsAt,
        ends_at: endsAt,
      }));
      const { revision } = catalogue;
      return rendered(
        { revision, variants: variants.map((each) => pricingVariantOf(each, catalogue)), lists: priceLists },
        revision,
      );
    },
  ),

  MissingIds: fromPart<CatalogDirectoryRpcs['MissingIds']>(pool, namedParts, (catalogue, _call, input) => {
    const { product_ids = [], category_ids = [], collection_ids = [] } = input;
    const missing = {
      product_ids: product_ids.filter((id) => !catalogue.product(id)),
      category_ids: category_ids.filter((id) => !catalogue.category(id)),
      collection_ids: collection_ids.filter((id) => !catalogue.collection(id)),
    };
    return rendered(missing, catalogue.revision);
  }),

  ActiveProducts: fromPart<CatalogDirectoryRpcs['ActiveProducts']>(
    pool,
    namedProducts,
    (catalogue, _call, { product_ids }) => ({
      product_ids: product_ids.filter((id) => catalogue.product(id)?.active === true),
      revision: catalogue.revision,
    }),
  ),

  OffersByIds: fromPart<CatalogDirectoryRpcs['OffersByIds']>(pool, offeredParts, (catalogue, _call, input) => ({
    revision: catalogue.revision,
    currency: catalogue.frame.currency.code,
    offers: input.offered.flatMap((offered) => offerOf(offered, catalogue) ?? []),
    collection_ids: input.collection_ids.filter((id) => catalogue.collection(id)),
  })),

  HasProducts: query((sql, { tenant }) => hasProducts(sql, tenant)),

  VariantsByIds: fromPart<CatalogDirectoryRpcs['VariantsByIds']>(
    pool,
    namedVariants,
    (catalogue, _call, { variant_ids, language }) => {
      const variants: VariantSummary[] = [];
      for (const id of variant_ids.length > 1 ? new Set(variant_ids) : variant_ids) {
        const variant = catalogue.variant(id);
        if (variant) variants.push(summaryOf(variant, catalogue, language));
      }
      return { variants };
    },
  ),

  ProductsByIds: fromPart<CatalogDirectoryRpcs['ProductsByIds']>(
    pool,
    namedProducts,
    (catalogue, _call, { product_ids }) => {
      const entries = [...new Set(product_ids)].flatMap((id) => catalogue.product(id) ?? []);
      return new Rendered(productsAnswer(entries, catalogue));
    },
  ),
});

/** Returns null for a deleted category, whose id products may still contain. */
const existingCategory = (id: string | null, catalogue: Catalogue): string | null =>
  id === null ? null : (catalogue.category(id)?.id ?? null);

const offerOf = ({ product_id, variant_id = null }: Offered, catalogue: Catalogue): Offer | null => {
  const entry = catalogue.product(product_id);
  const variant = variant_id === null ? entry?.defaultVariant : catalogue.variant(variant_id);
  if (!entry || variant?.entry !== entry) return null;
  const selling = variant.selling_price;
  const sold = variant_id === null ? entry.variants : [variant];
  return {
    product_id,
    variant_id,
    product_slug: entry.slug,
    is_active: entry.active,
    price: selling === null ? null : toMajor(selling, catalogue.frame.currency),
    in_stock: sold.some(({ stock }) => stock > 0),
  };
};

const pricingVariantOf = (variant: VariantEntry, catalogue: Catalogue): PricingVariant => ({
  variant_id: variant.id,
  product_id: variant.entry.id,
  category_id: existingCategory(variant.entry.category_id, catalogue),
  subcategory_id: existingCategory(variant.entry.subcategory_id, catalogue),
  collection_ids: catalogue.collectionsOf(variant.entry.id),
  is_active: variant.entry.active,
  price: variant.price,
  sale_price: variant.sale_price,
  list_prices: catalogue
    .listPricesOf(variant.id)
    .map(({ list, min_quantity, price }) => ({ price_list_id: list.id, min_quantity, price })),
});

const summaryOf = (variant: VariantEntry, catalogue: Catalogue, language: string | undefined): VariantSummary => {
  const { entry } = variant;
  const { currency } = catalogue.frame;
  const amount = (minor: number | null): number | null => (minor === null ? null : toMajor(minor, currency));
  const { name, variant_name, sku, thumbnail_url, requires_shipping } = textsOf(variant, catalogue);
  return {
    variant_id: variant.id,
    product_id: entry.id,
    name,
    variant_name,
    ...translatedNames(entry, variant_name, language),
    sku,
    thumbnail_url,
    category_id: existingCategory(entry.category_id, catalogue),
    subcategory_id: existingCategory(entry.subcategory_id, catalogue),
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
