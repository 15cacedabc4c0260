// Prices the basket of an agent: lines at current prices, delivery, and taxes by its destination.
import { randomUUIDv7 } from 'bun';
import type { VariantSummary } from '#proto/gen/catalog_directory.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { goodsWorth, pinnedExchange, RATE_CHANGED } from '#services/commerce/pinned_rate.ts';
import { sellingCurrency, storeCurrencies } from '#services/commerce/selling_currency.ts';
import type { Point } from '#values/geo/distance.ts';
import { type IntentDestination, openDelivery } from './delivery.ts';
import { type IntentOffer, NO_DELIVERY, promisedLines, type VariantDetails } from './offer.ts';
import { type IntentBasket, openPricing } from './pricing.ts';

/** A change keeps the offer's currency. */
type IntentChange = Omit<IntentRequest, 'currency'>;

export interface IntentRequest extends IntentBasket, IntentDestination {
  /** Leaves out promotion codes that do not apply and returns their reasons, instead of refusing. */
  readonly lenient?: boolean;
}

export interface IntentAppraisal {
  shop(call: Call): Promise<GetProfileResponse>;
  offer(call: Call, request: IntentRequest): Promise<IntentOffer | Refusal>;
  /** Changes the lines, or delivery and taxes. Lines that remain keep their promised prices. */
  reline(call: Call, offer: IntentOffer, request: IntentChange): Promise<IntentOffer | Refusal>;
  redeliver(call: Call, offer: IntentOffer, to: IntentDestination): Promise<IntentOffer | Refusal>;
  /** Ends a promise made at `now` that would outlast the exchange rate of its prices. */
  promiseEnd(shop: GetProfileResponse, call: Call, offer: IntentOffer, now: Date, lastsMs: number): Date | Refusal;
}

export const merged = (items: readonly OrderItemRequest[]): OrderItemRequest[] => {
  const quantities = new Map<string, number>();
  for (const { variant_id, quantity } of items) {
    const id = variant_id.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return Array.from(quantities, ([variant_id, quantity]) => ({ variant_id, quantity }));
};

const soldInAnother = ({ currency }: GetProfileResponse, { priced }: IntentOffer): Refusal | null =>
  currency === (priced.exchange?.base_currency ?? priced.currency)
    ? null
    : refuse(
        'conflict',
        `This offer is in ${priced.currency}, and the store sells in ${currency} now. Create a new one to change it.`,
      );

const promiseEnd: IntentAppraisal['promiseEnd'] = (shop, { tenant }, { priced }, now, lastsMs) => {
  const end = now.getTime() + lastsMs;
  if (!priced.exchange) return new Date(end);
  const selling = sellingCurrency(storeCurrencies(shop), tenant, priced.currency, now.getTime());
  if (selling instanceof Refusal) return selling;
  return new Date(Math.min(end, selling?.exchange.expiresAtMs ?? end));
};

const goodsOf = ({ product_id, variant_name, sku, thumbnail_url }: VariantSummary): VariantDetails => ({
  product_id,
  variant_name,
  sku,
  thumbnail_url,
});

export const openAppraisal = (domainClient: DomainClient): IntentAppraisal => {
  const { askOrThrow } = domainClient;
  const { price, usable, retaxed } = openPricing(domainClient);
  const quoteDelivery = openDelivery(domainClient);

  const offer: IntentAppraisal['offer'] = async (call, given) => {
    const codes =
      given.lenient && given.promotionCodes.length > 0
        ? await usable(call, { ...given, items: merged(given.items) })
        : { promotion_codes: given.promotionCodes };
    // Ignores a refusal of the codes here: the pricing below refuses, too, and says which `param` is wrong.
    const request = codes instanceof Refusal ? given : { ...given, promotionCodes: codes.promotion_codes };
    const items = merged(request.items);
    const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, {
      variant_ids: items.map(({ variant_id }) => variant_id),
    });
    const known = new Map(variants.map((variant) => [variant.variant_id, variant]));
    const unknown = request.items.findIndex(({ variant_id }) => {
      const id = variant_id.toLowerCase();
      return !(request.promised?.has(id) ? known.has(id) : known.get(id)?.is_active);
    });
    if (unknown >= 0) return notFound('variant', `items[${unknown}].variant_id`);
    const goods = await price(call, { ...request, items }, null, null);
    if (goods instanceof Refusal) return goods;
    const [rejected] = goods.rejected_codes;
    if (rejected)
      return refuse('promotion_not_applicable', rejected.reason, {
        param: `promotion_codes[${Math.max(
          0,
          request.promotionCodes.findIndex((code) => code.toUpperCase() === rejected.code.toUpperCase()),
        )}]`,
        details: rejected.code,
      });
    const shipped = items.some(({ variant_id }) => known.get(variant_id)!.requires_shipping);
    const consignment = { items, shipped, total: goodsWorth(goods), exchange: pinnedExchange(goods) };
    const quote = await quoteDelivery(call, consignment, request);
    if (quote instanceof Refusal) return quote;
    const priced = await price(
      call,
      { ...request, items },
      (quote.delivery ?? NO_DELIVERY).fee,
      quote.pickup ?? request.address,
    );
    if (priced instanceof Refusal) return priced;
    if (priced.exchange?.rate !== goods.exchange?.rate) return RATE_CHANGED;
    return {
      priced,
      names: items.map(({ variant_id }) => known.get(variant_id)!.name),
      line_ids: items.map(({ variant_id }) => request.promised?.get(variant_id)?.id ?? randomUUIDv7()),
      variants: items.map(({ variant_id }) => goodsOf(known.get(variant_id)!)),
      promotion_codes: request.promotionCodes,
      ...(!(codes instanceof Refusal) && codes.rejected && { rejected: codes.rejected }),
      requires_shipping: shipped,
      delivery: quote.delivery,
      shipping_options: quote.options,
      ...pointWithout(request.address, request.point),
    };
  };

  const shop: IntentAppraisal['shop'] = (call) =>
    askOrThrow('StoreDirectory/GetProfile', call, { store: call.tenant.store });

  return {
    shop,
    offer,
    promiseEnd,
    reline: async (call, before, request) =>
      soldInAnother(await shop(call), before) ??
      offer(call, { ...request, promised: promisedLines(before), currency: currencyIn(before) }),
    async redeliver(call, { point: pointBefore = null, ...before }, { address, optionId, language = null, ...where }) {
      const frozen = soldInAnother(await shop(call), before);
      if (frozen) return frozen;
      const point = where.point ?? pointBefore;
      const items = before.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
      const consignment = {
        items,
        shipped: before.requires_shipping,
        total: goodsWorth(before.priced),
        exchange: pinnedExchange(before.priced),
      };
      const quote = await quoteDelivery(call, consignment, { address, point, optionId, language });
      if (quote instanceof Refusal) return quote;
      const fee = (quote.delivery ?? NO_DELIVERY).fee;
      // Prices the basket again, because promotions decide whether shipping is free.
      const taxedAt = quote.pickup ?? address;
      const basket = { items, promotionCodes: before.promotion_codes, currency: currencyIn(before) };
      const fresh = await price(call, basket, fee, taxedAt);
      const left = fresh instanceof Refusal ? fee : fresh.shipping_total;
      const priced = await retaxed(call, before.priced, left, taxedAt);
      if (priced instanceof Refusal) return priced;
      const { delivery: chosen, options } = quote;
      return { ...before, priced, delivery: chosen, shipping_options: options, ...pointWithout(address, point) };
    },
  };
};

const currencyIn = ({ priced }: IntentOffer): string | null => (priced.exchange ? priced.currency : null);

const pointWithout = (address: AddressInput | null, point: Point | null) =>
  address === null && point ? { point } : {};
