// What this domain asks others: the catalogue for variants and products as they are sold now, the store for its settings.
import type { ListedProduct, ProductsByIdsResponse, VariantsByIdsResponse } from '#proto/gen/catalog.ts';
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { type Call, Refusal, Rendered } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import type { Shop } from './cart.ts';
import type { Offer } from './line.ts';

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
  /** By id; unknown ones are left out. */
  variants(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, Offer>>;
  products(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, ProductOffer>>;
  variant(call: Call, id: string): Promise<Offer | null>;
  /** The one that a product is bought as unless another is named. */
  defaultVariant(call: Call, productId: string): Promise<Offer | null>;
  shop(call: Call): Promise<Shop>;
}

const MINUTE_MS = 60_000;

const minorOf = (major: number | null, currency: string): number | null =>
  major === null ? null : toMinor(major, currencyOf(currency));

export const openCatalogue = ({ ask }: Pick<Foundation, 'ask'>): Catalogue => {
  /** As new as the caller has seen it, for as long as he waits. */
  const answerTo = async <O>(rpc: string, call: Call, input: unknown): Promise<O> => {
    const { deadline, requestId, trace, revisionMin } = call;
    const reply = await ask<O>(rpc, call.tenant, input, { deadline, requestId, trace, revisionMin });
    if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable(`${rpc} is not answered.`);
    return reply;
  };

  const variants: Catalogue['variants'] = async (call, ids) => {
    if (ids.length === 0) return new Map();
    const found = await answerTo<VariantsByIdsResponse>('CatalogDirectory/VariantsByIds', call, { variant_ids: ids });
    return new Map(
      found.variants.map((variant) => {
        const { variant_id, product_id, name, variant_name, sku, thumbnail_url, is_active, currency, stock } = variant;
        const unit_price = minorOf(variant.selling_price, currency);
        const offer = {
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
        return [variant_id, offer];
      }),
    );
  };

  const listed = async (call: Call, ids: readonly string[]): Promise<readonly ListedProduct[]> => {
    if (ids.length === 0) return [];
    const found = await answerTo<ProductsByIdsResponse>('CatalogDirectory/ProductsByIds', call, { product_ids: ids });
    return found.products;
  };

  return {
    variants,
    variant: async (call, id) => [...(await variants(call, [id])).values()][0] ?? null,
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
    defaultVariant: async (call, productId) => {
      const [product] = await listed(call, [productId]);
      if (!product?.variant_id) return null;
      return {
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
