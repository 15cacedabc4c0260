// What this domain asks others: the catalogue for variants and products as they are sold now, pricing for what they cost
// a shopper, the store for its settings.
import type { ListedProduct, ProductsByIdsResponse, VariantsByIdsResponse } from '#proto/gen/catalog.ts';
import type { PriceLaddersResponse } from '#proto/gen/pricing.ts';
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { type Call, Refusal, Rendered } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { currencyOf } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import type { Shop } from './cart.ts';
import type { Article, Offer, QuantityPrice } from './line.ts';

/** A product as a whole, for a wishlist. */
export interface ProductOffer {
  readonly product_id: string;
  readonly name: string;
  readonly is_active: boolean;
  /** Its default variant's, in minor units. */
  readonly price: number | null;
  readonly currency: string;
  /** Of all its variants. */
  readonly stock: number;
}

export interface Catalogue {
  /** Variants by id; unknown ones are left out. */
  articles(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, Article>>;
  products(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, ProductOffer>>;
  /** Variants with what they cost this customer, or anybody; unknown ones are left out. */
  offers(call: Call, ids: readonly string[], customer: string | null): Promise<ReadonlyMap<string, Offer>>;
  offer(call: Call, id: string, customer: string | null): Promise<Offer | null>;
  /** The variant that a product is bought as unless another is named. */
  defaultOffer(call: Call, productId: string, customer: string | null): Promise<Offer | null>;
  shop(call: Call): Promise<Shop>;
}

const MINUTE_MS = 60_000;

const minorOf = (major: number | null, currency: string): number | null =>
  major === null ? null : fromMajor(major, currencyOf(currency));

/** Asks for what is never refused: as new as the caller has seen it, for as long as he waits. */
export const openAnswers =
  ({ ask }: Pick<Foundation, 'ask'>) =>
  async <O>(rpc: string, call: Call, input: unknown): Promise<O> => {
    const { deadline, requestId, trace, revisionMin } = call;
    const reply = await ask<O>(rpc, call.tenant, input, { deadline, requestId, trace, revisionMin, reads: true });
    if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable(`${rpc} is not answered.`);
    return reply;
  };

export const openCatalogue = (foundation: Pick<Foundation, 'ask'>): Catalogue => {
  const answerTo = openAnswers(foundation);

  const articles: Catalogue['articles'] = async (call, ids) => {
    if (ids.length === 0) return new Map();
    const found = await answerTo<VariantsByIdsResponse>('CatalogDirectory/VariantsByIds', call, { variant_ids: ids });
    return new Map(
      found.variants.map((variant) => {
        const { variant_id, product_id, name, variant_name, sku, thumbnail_url, is_active, currency, stock } = variant;
        const unit_price = minorOf(variant.selling_price, currency);
        const article = {
          variant_id,
          product_id,
          name,
          variant_name,
          sku,
          thumbnail_url,
          is_active,
          unit_price,
          currency,
          stock,
        };
        return [variant_id, article];
      }),
    );
  };

  /** What one piece costs from each quantity on; of what has no price nothing. */
  const ladders = async (
    call: Call,
    variant_ids: readonly string[],
    customer_id: string | null,
  ): Promise<ReadonlyMap<string, readonly QuantityPrice[]>> => {
    if (variant_ids.length === 0) return new Map();
    const asked = { variant_ids, customer_id };
    const told = await answerTo<PriceLaddersResponse>('PricingDirectory/PriceLadders', call, asked);
    const currency = currencyOf(told.currency);
    return new Map(
      told.ladders.map(({ variant_id, rungs }) => [
        variant_id,
        rungs.map(({ from_quantity, unit_price }) => ({
          from: from_quantity,
          unit_price: fromMajor(unit_price, currency),
        })),
      ]),
    );
  };

  const offers: Catalogue['offers'] = async (call, ids, customer) => {
    const [found, prices] = await Promise.all([articles(call, ids), ladders(call, ids, customer)]);
    return new Map(Array.from(found, ([id, article]) => [id, { ...article, prices: prices.get(id) ?? [] }]));
  };

  const listed = async (call: Call, ids: readonly string[]): Promise<readonly ListedProduct[]> => {
    if (ids.length === 0) return [];
    const found = await answerTo<ProductsByIdsResponse>('CatalogDirectory/ProductsByIds', call, { product_ids: ids });
    return found.products;
  };

  return {
    articles,
    offers,
    offer: async (call, id, customer) => [...(await offers(call, [id], customer)).values()][0] ?? null,
    products: async (call, ids) =>
      new Map(
        (await listed(call, ids)).map((product) => [
          product.id,
          {
            product_id: product.id,
            name: product.name,
            is_active: product.is_active === true,
            price: minorOf(product.selling_price, product.display_currency),
            currency: product.display_currency,
            stock: product.total_stock ?? product.stock ?? 0,
          },
        ]),
      ),
    defaultOffer: async (call, productId, customer) => {
      const [product] = await listed(call, [productId]);
      if (!product?.variant_id) return null;
      const prices = await ladders(call, [product.variant_id], customer);
      return {
        prices: prices.get(product.variant_id) ?? [],
        variant_id: product.variant_id,
        product_id: product.id,
        name: product.name,
        variant_name: product.variant_name,
        sku: product.sku,
        thumbnail_url: product.thumbnail_url,
        is_active: product.is_active === true,
        unit_price: minorOf(product.selling_price, product.display_currency),
        currency: product.display_currency,
        stock: product.stock ?? 0,
      };
    },
    shop: async (call) => {
      const { store } = call.tenant;
      const profile = await answerTo<GetProfileResponse>('StoreDirectory/GetProfile', call, { store });
      return {
        currency: profile.currency,
        abandonedAfterMs: profile.cart_abandoned_after_minutes * MINUTE_MS,
      };
    },
  };
};
