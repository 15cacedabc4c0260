// The cart domain's client of the catalogue, of pricing and of the store.

import type { VariantSummary, VariantsByIdsResponse } from '#proto/gen/catalog_directory.ts';
import type { PriceLaddersResponse } from '#proto/gen/pricing_directory.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
import type { Call } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type StoreCurrencies, storeCurrencies } from '#services/commerce/selling_currency.ts';
import { currencyOf } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import type { CartSettings } from './cart.ts';
import type { CartVariant, LineOffer, QuantityPrice } from './line.ts';

export interface ProductOffer {
  readonly product_id: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly price: number | null;
  readonly currency: string;
  readonly stock: number;
}

export interface CartCatalogue {
  variants(call: Call, ids: readonly string[], language?: string): Promise<ReadonlyMap<string, CartVariant>>;
  products(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, ProductOffer>>;
  /**
   * Returns variants with their prices for this customer, or for any shopper if null. Unknown variants are left out.
   */
  offers(
    call: Call,
    ids: readonly string[],
    customer: string | null,
    currency: string | null,
  ): Promise<ReadonlyMap<string, LineOffer>>;
  offer(call: Call, id: string, customer: string | null, currency: string | null): Promise<LineOffer | null>;
  defaultOffer(
    call: Call,
    productId: string,
    customer: string | null,
    currency: string | null,
  ): Promise<LineOffer | null>;
  settings(call: Call): Promise<StoreSettings>;
}

export interface StoreSettings extends CartSettings {
  readonly currencies: StoreCurrencies;
}

const MINUTE_MS = 60_000;

const minorOf = (major: number | null, currency: string): number | null =>
  major === null ? null : fromMajor(major, currencyOf(currency));

const offerOf = (variant: VariantSummary, prices: readonly QuantityPrice[]): LineOffer => ({
  variant_id: variant.variant_id,
  product_id: variant.product_id,
  name: variant.name,
  variant_name: variant.variant_name,
  sku: variant.sku,
  thumbnail_url: variant.thumbnail_url,
  is_active: variant.is_active,
  unit_price: minorOf(variant.selling_price, variant.currency),
  currency: variant.currency,
  stock: variant.stock,
  prices,
});

const pricesOf = ({ ladders, currency: code }: PriceLaddersResponse, id: string): readonly QuantityPrice[] => {
  const ladder = ladders.find(({ variant_id }) => variant_id === id);
  if (!ladder) return [];
  const currency = currencyOf(code);
  return ladder.rungs.map(({ from_quantity, unit_price }) => ({
    from: from_quantity,
    unit_price: fromMajor(unit_price, currency),
  }));
};

export const openCatalogue = (runtime: Pick<Runtime, 'ask'>): CartCatalogue => {
  const { askOrThrow } = openDomainClient(runtime);

  const variantsOf = (call: Call, variant_ids: readonly string[], language?: string): Promise<VariantsByIdsResponse> =>
    askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids, language });

  const laddersOf = (
    call: Call,
    variant_ids: readonly string[],
    customer_id: string | null,
    currency: string | null,
  ): Promise<PriceLaddersResponse> =>
    askOrThrow('PricingDirectory/PriceLadders', call, { variant_ids, customer_id, currency });

  const variants: CartCatalogue['variants'] = async (call, ids, language) => {
    if (ids.length === 0) return new Map();
    const { variants } = await variantsOf(call, ids, language);
    return new Map(variants.map((variant) => [variant.variant_id, offerOf(variant, [])]));
  };

  const offersOf = async (
    call: Call,
    ids: readonly string[],
    customer: string | null,
    currency: string | null,
  ): Promise<readonly LineOffer[]> => {
    if (ids.length === 0) return [];
    const [{ variants }, ladders] = await Promise.all([
      variantsOf(call, ids),
      laddersOf(call, ids, customer, currency),
    ]);
    return variants.map((variant) => offerOf(variant, pricesOf(ladders, variant.variant_id)));
  };

  const listed = async (call: Call, ids: readonly string[]): Promise<readonly ListedProduct[]> => {
    if (ids.length === 0) return [];
    const found = await askOrThrow('CatalogDirectory/ProductsByIds', call, { product_ids: ids });
    return found.products;
  };

  return {
    variants,
    offers: async (call, ids, customer, currency) =>
      new Map((await offersOf(call, ids, customer, currency)).map((offer) => [offer.variant_id, offer])),
    offer: async (call, id, customer, currency) => (await offersOf(call, [id], customer, currency))[0] ?? null,
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
    defaultOffer: async (call, productId, customer, currency) => {
      const [product] = await listed(call, [productId]);
      if (!product?.variant_id) return null;
      const ladders = await laddersOf(call, [product.variant_id], customer, currency);
      return {
        prices: pricesOf(ladders, product.variant_id),
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
    settings: async (call) => {
      const { store } = call.tenant;
      const profile = await askOrThrow('StoreDirectory/GetProfile', call, { store });
      return {
        currency: profile.currency,
        abandonedAfterMs: profile.cart_abandoned_after_minutes * MINUTE_MS,
        currencies: storeCurrencies(profile),
      };
    },
  };
};
