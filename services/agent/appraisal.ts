// Prices the basket of an agent: lines at current prices, delivery, and taxes by its destination.
import { randomUUIDv7 } from 'bun';
import type { VariantSummary } from '#proto/gen/catalog_directory.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { Point } from '#values/geo/distance.ts';
import { type IntentDestination, openDelivery } from './delivery.ts';
import { type IntentOffer, NO_DELIVERY, promisedLines, type VariantDetails } from './offer.ts';
import { type IntentBasket, merchandise, openPricing } from './pricing.ts';

export interface IntentRequest extends IntentBasket, IntentDestination {
  /** Leaves out promotion codes that do not apply and returns their reasons, instead of refusing. */
  readonly lenient?: boolean;
}

export interface IntentAppraisal {
  shop(call: Call): Promise<GetProfileResponse>;
  offer(call: Call, request: IntentRequest): Promise<IntentOffer | Refusal>;
  /** Changes the lines, or delivery and taxes. Lines that remain keep their promised prices. */
  reline(call: Call, offer: IntentOffer, request: IntentRequest): Promise<IntentOffer | Refusal>;
  redeliver(call: Call, offer: IntentOffer, to: IntentDestination): Promise<IntentOffer | Refusal>;
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
  currency === priced.currency
    ? null
    : refuse(
        'conflict',
        `This offer is in ${priced.currency}, and the store sells in ${currency} now. Create a new one to change it.`,
      );

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
    const quote = await quoteDelivery(call, { items, shipped, total: merchandise(goods) }, request);
    if (quote instanceof Refusal) return quote;
    const priced = await price(
      call,
      { ...request, items },
      (quote.delivery ?? NO_DELIVERY).fee,
      quote.pickup ?? request.address,
    );
    if (priced instanceof Refusal) return priced;
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
    reline: async (call, before, request) =>
      soldInAnother(await shop(call), before) ?? offer(call, { ...request, promised: promisedLines(before) }),
    async redeliver(call, { point: pointBefore = null, ...before }, { address, optionId, ...where }) {
      const frozen = soldInAnother(await shop(call), before);
      if (frozen) return frozen;
      const point = where.point ?? pointBefore;
      const items = before.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
      const consignment = { items, shipped: before.requires_shipping, total: merchandise(before.priced) };
      const quote = await quoteDelivery(call, consignment, { address, point, optionId });
      if (quote instanceof Refusal) return quote;
      const fee = (quote.delivery ?? NO_DELIVERY).fee;
      // Prices the basket again, because promotions decide whether shipping is free.
      const taxedAt = quote.pickup ?? address;
      const fresh = await price(call, { items, promotionCodes: before.promotion_codes }, fee, taxedAt);
      const left = fresh instanceof Refusal ? fee : fresh.shipping_total;
      const priced = await retaxed(call, before.priced, left, taxedAt);
      if (priced instanceof Refusal) return priced;
      const { delivery: chosen, options } = quote;
      return { ...before, priced, delivery: chosen, shipping_options: options, ...pointWithout(address, point) };
    },
  };
};

const pointWithout = (address: AddressInput | null, point: Point | null) =>
  address === null && point ? { point } : {};
