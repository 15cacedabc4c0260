// Handles the rpcs of prices and taxes, public and internal.
import type {
  PreviewTaxRequest,
  PreviewTaxResponse,
  PricingRpcs,
  QueryPricesRequest,
  QueryPricesResponse,
} from '#proto/gen/pricing.ts';
import type {
  PriceBasketRequest,
  PriceBasketResponse,
  PriceLadder,
  PriceLaddersRequest,
  PriceLaddersResponse,
  PricingDirectoryRpcs,
  TaxLinesRequest,
  TaxLinesResponse,
} from '#proto/gen/pricing_directory.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { sellingCurrency } from '#services/commerce/selling_currency.ts';
import type { BasketPricer, PricingStore, PricingStores } from '#services/pricing/basket_pricer.ts';
import { previewTaxResponse, priceBasketResponse, queryPricesResponse } from '#services/pricing/document.ts';
import { priceLadder } from '#services/pricing/price.ts';
import type { FoundVariants, VariantCache } from '#services/pricing/variant_cache.ts';
import { toMajor } from '#values/money.ts';

export const pricingHandlers = (pricer: BasketPricer): Handlers<PricingRpcs> => ({
  QueryPrices: read<QueryPricesRequest, QueryPricesResponse>((call, input) =>
    pricer.price(call, { ...input, unsold_currency: true }, (priced) => queryPricesResponse(priced, input.language)),
  ),

  PreviewTax: read<PreviewTaxRequest, PreviewTaxResponse>((call, input) => {
    const { shipping_fee, ...rest } = input;
    return pricer.price(call, { ...rest, shipping_fee: shipping_fee ?? 0 }, previewTaxResponse);
  }),
});

export const directoryHandlers = (
  clock: Clock,
  pricer: BasketPricer,
  stores: PricingStores,
  variantCache: VariantCache,
): Handlers<PricingDirectoryRpcs> => ({
  PriceBasket: read<PriceBasketRequest, PriceBasketResponse>((call, input) =>
    pricer.price(call, input, (priced) => priceBasketResponse(priced, input.language)),
  ),

  TaxLines: read<TaxLinesRequest, TaxLinesResponse>((call, input) => pricer.taxes(call, input)),

  PriceLadders: read<PriceLaddersRequest, PriceLaddersResponse>(
    (call, { variant_ids, customer_id = null, currency = null }) => {
      const ids = variant_ids.map((id) => id.toLowerCase());
      const store = stores.get(call.tenant);
      const variants = variantCache.get(call, ids);
      const group = pricer.groupOf(call, { customer_id });
      const respond = (store: PricingStore, variants: FoundVariants, group: string | null | Refusal) =>
        priceLaddersResponse(store, call, currency, variants, group, clock.now(call.tenant).getTime());
      if (store instanceof Promise || variants instanceof Promise || group instanceof Promise)
        return Promise.all([store, variants, group]).then((all) => respond(...all));
      return respond(store, variants, group);
    },
  ),
});

const priceLaddersResponse = (
  store: PricingStore,
  { tenant }: Call,
  code: string | null,
  variants: FoundVariants,
  group: string | null | Refusal,
  now: number,
): PriceLaddersResponse | Refusal => {
  if (group instanceof Refusal) return group;
  const selling = code === null ? null : sellingCurrency(store.currencies, tenant, code, now);
  if (selling instanceof Refusal) return selling;
  const own = store.currency;
  const currency = selling?.currency ?? own;
  const converts = selling?.prices === 'rate';
  const buyer = {
    currency: currency.code,
    storeCurrency: own.code,
    group,
    now,
    exchange: converts ? selling.exchange : null,
  };
  const ladders: PriceLadder[] = [];
  for (const variant of new Set(variants)) {
    if (!variant) continue;
    const rungs = priceLadder(variant, buyer);
    if (rungs.length === 0) continue;
    ladders.push({
      variant_id: variant.id,
      rungs: rungs.map(({ from, unit }) => ({ from_quantity: from, unit_price: toMajor(unit, currency) })),
    });
  }
  return { ladders, currency: currency.code };
};
