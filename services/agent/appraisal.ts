// Prices a basket for an agent: what the lines cost at this moment, how they can be delivered, and the taxes of the place
// they go to.
import { randomUUIDv7 } from 'bun';
import type { VariantSummary } from '#proto/gen/catalog_directory.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { Point } from '#values/geo/distance.ts';
import { type IntentDestination, openDelivery } from './delivery.ts';
import { type Goods, type IntentOffer, NO_DELIVERY, promisedLines } from './offer.ts';
import { merchandise, openPricing, type PricedWish } from './pricing.ts';

/** What an agent says of the buyer's place and wish. */
export interface IntentRequest extends PricedWish, IntentDestination {
  /** Codes that do not apply are told of, and not refused. */
  readonly lenient?: boolean;
}

export interface IntentAppraisal {
  shop(call: Call): Promise<GetProfileResponse>;
  /** All of it afresh. */
  offer(call: Call, wish: IntentRequest): Promise<IntentOffer | Refusal>;
  /** Other goods: those that were there before stay as they were promised. */
  reline(call: Call, offer: IntentOffer, wish: IntentRequest): Promise<IntentOffer | Refusal>;
  /** The goods as they were promised; delivery and tax of another place. */
  redeliver(call: Call, offer: IntentOffer, to: IntentDestination): Promise<IntentOffer | Refusal>;
}

/** A variant named twice is one line. */
export const merged = (items: readonly OrderItemRequest[]): OrderItemRequest[] => {
  const quantities = new Map<string, number>();
  for (const { variant_id, quantity } of items) {
    const id = variant_id.toLowerCase();
    quantities.set(id, (quantities.get(id) ?? 0) + quantity);
  }
  return Array.from(quantities, ([variant_id, quantity]) => ({ variant_id, quantity }));
};

/** Amounts of two currencies make no sum. */
const soldInAnother = ({ currency }: GetProfileResponse, { priced }: IntentOffer): Refusal | null =>
  currency === priced.currency
    ? null
    : refuse('conflict', `The store sells in ${currency} now: what was promised in ${priced.currency} stays as it is.`);

const goodsOf = ({ product_id, variant_name, sku, thumbnail_url }: VariantSummary): Goods => ({
  product_id,
  variant_name,
  sku,
  thumbnail_url,
});

export const openAppraisal = (domainClient: DomainClient): IntentAppraisal => {
  const { askOrThrow } = domainClient;
  const { price, usable, retaxed } = openPricing(domainClient);
  const wayOf = openDelivery(domainClient);

  const offer: IntentAppraisal['offer'] = async (call, given) => {
    const codes =
      given.lenient && given.promotionCodes.length > 0
        ? await usable(call, { ...given, items: merged(given.items) })
        : { promotion_codes: given.promotionCodes };
    // What else is wrong is told by what follows.
    const wish = codes instanceof Refusal ? given : { ...given, promotionCodes: codes.promotion_codes };
    const items = merged(wish.items);
    const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, {
      variant_ids: items.map(({ variant_id }) => variant_id),
    });
    const known = new Map(variants.map((variant) => [variant.variant_id, variant]));
    const unknown = wish.items.findIndex(({ variant_id }) => {
      const id = variant_id.toLowerCase();
      return !(wish.promised?.has(id) ? known.has(id) : known.get(id)?.is_active);
    });
    if (unknown >= 0) return notFound('variant', `items[${unknown}].variant_id`);
    const goods = await price(call, { ...wish, items }, null, null);
    if (goods instanceof Refusal) return goods;
    const [rejected] = goods.rejected_codes;
    if (rejected)
      return refuse('promotion_not_applicable', rejected.reason, {
        param: `promotion_codes[${Math.max(
          0,
          wish.promotionCodes.findIndex((code) => code.toUpperCase() === rejected.code.toUpperCase()),
        )}]`,
        details: rejected.code,
      });
    const shipped = items.some(({ variant_id }) => known.get(variant_id)!.requires_shipping);
    const way = await wayOf(call, { items, shipped, total: merchandise(goods) }, wish);
    if (way instanceof Refusal) return way;
    const priced = await price(call, { ...wish, items }, (way.delivery ?? NO_DELIVERY).fee, way.pickup ?? wish.address);
    if (priced instanceof Refusal) return priced;
    return {
      priced,
      names: items.map(({ variant_id }) => known.get(variant_id)!.name),
      line_ids: items.map(({ variant_id }) => wish.promised?.get(variant_id)?.id ?? randomUUIDv7()),
      goods: items.map(({ variant_id }) => goodsOf(known.get(variant_id)!)),
      promotion_codes: wish.promotionCodes,
      ...(!(codes instanceof Refusal) && codes.rejected && { rejected: codes.rejected }),
      shipped,
      delivery: way.delivery,
      shipping_options: way.options,
      ...pointWithout(wish.address, wish.point),
    };
  };

  const shop: IntentAppraisal['shop'] = (call) =>
    askOrThrow('StoreDirectory/GetProfile', call, { store: call.tenant.store });

  return {
    shop,
    offer,
    reline: async (call, before, wish) =>
      soldInAnother(await shop(call), before) ?? offer(call, { ...wish, promised: promisedLines(before) }),
    async redeliver(call, { point: pointBefore = null, ...before }, { address, optionId, ...where }) {
      const frozen = soldInAnother(await shop(call), before);
      if (frozen) return frozen;
      const point = where.point ?? pointBefore;
      const items = before.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
      const consignment = { items, shipped: before.shipped, total: merchandise(before.priced) };
      const way = await wayOf(call, consignment, { address, point, optionId });
      if (way instanceof Refusal) return way;
      const fee = (way.delivery ?? NO_DELIVERY).fee;
      // Whether shipping is free is the promotions' affair.
      const taxedAt = way.pickup ?? address;
      const fresh = await price(call, { items, promotionCodes: before.promotion_codes }, fee, taxedAt);
      const left = fresh instanceof Refusal ? fee : fresh.shipping_total;
      const priced = await retaxed(call, before.priced, left, taxedAt);
      if (priced instanceof Refusal) return priced;
      const { delivery: chosen, options } = way;
      return { ...before, priced, delivery: chosen, shipping_options: options, ...pointWithout(address, point) };
    },
  };
};

const pointWithout = (address: AddressInput | null, point: Point | null) =>
  address === null && point ? { point } : {};
