// The door of prices and taxes, to the outside and to other parts of the house.
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
import { Refusal } from '#runtime/call/call.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { BasketPricer } from '#services/pricing/basket_pricer.ts';
import { basketTold, pricesShown, taxesShown } from '#services/pricing/document.ts';
import { priceLadder } from '#services/pricing/price.ts';
import type { PricingStore, PricingStores } from '#services/pricing/shop.ts';
import type { VariantCache, Wares } from '#services/pricing/variant_cache.ts';
import { toMajor } from '#values/money.ts';

export const pricingHandlers = (pricer: BasketPricer): Handlers<PricingRpcs> => ({
  QueryPrices: read<QueryPricesRequest, QueryPricesResponse>((call, input) => pricer.price(call, input, pricesShown)),

  PreviewTax: read<PreviewTaxRequest, PreviewTaxResponse>((call, input) => {
    const { shipping_fee, ...rest } = input;
    return pricer.price(call, { ...rest, shipping_fee: shipping_fee ?? 0 }, taxesShown);
  }),
});

export const directoryHandlers = (
  clock: Clock,
  pricer: BasketPricer,
  shops: PricingStores,
  variants: VariantCache,
): Handlers<PricingDirectoryRpcs> => ({
  PriceBasket: read<PriceBasketRequest, PriceBasketResponse>((call, input) => pricer.price(call, input, basketTold)),

  TaxLines: read<TaxLinesRequest, TaxLinesResponse>((call, input) => pricer.taxes(call, input)),

  PriceLadders: read<PriceLaddersRequest, PriceLaddersResponse>((call, { variant_ids, customer_id = null }) => {
    const ids = variant_ids.map((id) => id.toLowerCase());
    const shop = shops.get(call.tenant);
    const wares = variants.get(call, ids);
    const group = pricer.groupOf(call, { customer_id });
    const told = (shop: PricingStore, wares: Wares, group: string | null | Refusal) =>
      laddersTold(shop, wares, group, clock.now(call.tenant).getTime());
    if (shop instanceof Promise || wares instanceof Promise || group instanceof Promise)
      return Promise.all([shop, wares, group]).then((all) => told(...all));
    return told(shop, wares, group);
  }),
});

const laddersTold = (
  shop: PricingStore,
  wares: Wares,
  group: string | null | Refusal,
  now: number,
): PriceLaddersResponse | Refusal => {
  if (group instanceof Refusal) return group;
  const { code } = shop.currency;
  const buyer = { currency: code, storeCurrency: code, group, now };
  const ladders: PriceLadder[] = [];
  for (const ware of new Set(wares)) {
    if (!ware) continue;
    const rungs = priceLadder(ware, buyer);
    if (rungs.length === 0) continue;
    ladders.push({
      variant_id: ware.id,
      rungs: rungs.map(({ from, unit }) => ({ from_quantity: from, unit_price: toMajor(unit, shop.currency) })),
    });
  }
  return { ladders, currency: code };
};
