// Prices a basket for an agent: what the lines cost at this moment, how they can be delivered, and the taxes of the place
// they go to.
import { randomUUIDv7 } from 'bun';
import type { UnusedCode } from '#proto/gen/agent.ts';
import type { VariantSummary } from '#proto/gen/catalog_directory.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import type { LocationAddress } from '#proto/gen/shipping_config.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { Inquiry } from '#runtime/door/inquiry.ts';
import { currencyOf } from '#values/currency.ts';
import type { Point } from '#values/geo/distance.ts';
import { fromMajor, toMajor } from '#values/money.ts';
import { placeOf } from './address.ts';
import { type Goods, type IntentOffer, NO_DELIVERY, type OfferedDelivery } from './offer.ts';

/** What an agent says of the buyer's place and wish. */
export interface IntentRequest {
  readonly items: readonly OrderItemRequest[];
  readonly promotionCodes: readonly string[];
  readonly address: AddressInput | null;
  /** On the map, where no address says it. */
  readonly point: Point | null;
  readonly optionId: string | null;
  /** Codes that do not apply are told of, and not refused. */
  readonly lenient?: boolean;
  /** What stays as it was promised, by variant; left out: nothing does. */
  readonly promised?: ReadonlyMap<string, PromisedLine>;
}

/** A line of an offer that another one has too. */
export interface PromisedLine {
  readonly id: string;
  readonly unitPrice: number;
}

export const promisedLines = ({ priced, line_ids }: IntentOffer): ReadonlyMap<string, PromisedLine> =>
  new Map(
    priced.lines.map(({ variant_id, unit_price }, at) => [variant_id, { id: line_ids[at]!, unitPrice: unit_price }]),
  );

export interface IntentAppraisal {
  shop(call: Call): Promise<GetProfileResponse>;
  /** All of it afresh. */
  offer(call: Call, wish: IntentRequest): Promise<IntentOffer | Refusal>;
  /** The goods as they were promised; delivery and tax of another place. */
  redeliver(
    call: Call,
    offer: IntentOffer,
    where: Pick<IntentRequest, 'address' | 'point' | 'optionId'>,
  ): Promise<IntentOffer | Refusal>;
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

const goodsOf = ({ product_id, variant_name, sku, thumbnail_url }: VariantSummary): Goods => ({
  product_id,
  variant_name,
  sku,
  thumbnail_url,
});

/** How the goods travel where that is known, and how else they could. */
interface Way {
  readonly delivery: OfferedDelivery | null;
  /** Where the buyer comes for them: what is picked up is taxed there. */
  readonly pickup: LocationAddress | null;
  readonly options: readonly ShippingChoice[];
}

const taxAddress = (address: AddressInput | LocationAddress | null) =>
  address?.country
    ? { country: address.country, state: address.state ?? null, postal_code: address.postal_code ?? null }
    : null;

export const openAppraisal = ({ ask, must }: Inquiry): IntentAppraisal => {
  const price = (
    call: Call,
    wish: Pick<IntentRequest, 'items' | 'promotionCodes' | 'promised'>,
    fee: number | null,
    address: AddressInput | LocationAddress | null,
  ) =>
    ask('PricingDirectory/PriceBasket', call, {
      items: wish.items.map((item) => {
        const kept = wish.promised?.get(item.variant_id);
        return kept ? { ...item, unit_price: kept.unitPrice } : item;
      }),
      promotion_codes: wish.promotionCodes,
      shipping_fee: fee,
      address: taxAddress(address),
    });

  /** "merchandise after discounts, before tax and shipping", in major units. */
  const merchandise = ({ subtotal, discount_total, currency }: PriceBasketResponse): number => {
    const unit = currencyOf(currency);
    return toMajor(fromMajor(subtotal, unit) - fromMajor(discount_total, unit), unit);
  };

  /** Every way to get it there; none where the place is not known. */
  const choices = async (
    call: Call,
    items: readonly OrderItemRequest[],
    address: AddressInput | null,
    total: number,
  ): Promise<readonly ShippingChoice[]> => {
    if (address === null) return [];
    const found = await ask('ShippingDirectory/ListChoices', call, {
      address,
      items,
      order_total: total,
    });
    return found instanceof Refusal ? [] : found.options;
  };

  const deliver = async (
    call: Call,
    items: readonly OrderItemRequest[],
    address: AddressInput | null,
    optionId: string,
    total: number,
  ): Promise<Pick<Way, 'delivery' | 'pickup'> | Refusal> => {
    const found = await ask('ShippingDirectory/ShipOrder', call, {
      address,
      items,
      order_total: total,
      shipping_option_id: optionId,
      shipping_rate_id: null,
      shipping_rate_source: null,
    });
    if (found instanceof Refusal) return found;
    const { option_id, option_name, fee, pickup_address: pickup } = found;
    return { delivery: { option_id, option_name, fee }, pickup };
  };

  /** Delivery where it can be said: an option that was chosen, and a place to go to unless it is picked up. */
  const delivery = async (
    call: Call,
    items: readonly OrderItemRequest[],
    { address, point, optionId }: Pick<IntentRequest, 'address' | 'point' | 'optionId'>,
    shipped: boolean,
    total: number,
  ): Promise<Way | Refusal> => {
    if (!shipped) return { delivery: null, pickup: null, options: [] };
    const place = placeOf(address, point);
    const options = await choices(call, items, place, total);
    const placeless = place === null && !optionId?.startsWith('pickup:');
    if (optionId === null || placeless) return { delivery: null, pickup: null, options };
    const chosen = await deliver(call, items, place, optionId, total);
    return chosen instanceof Refusal ? chosen : { ...chosen, options };
  };

  /** The codes that are left, and why the others are not: none of those is refused to an assistant. */
  const usable = async (
    call: Call,
    wish: IntentRequest,
  ): Promise<Pick<IntentOffer, 'promotion_codes' | 'rejected'> | Refusal> => {
    let promotionCodes = wish.promotionCodes;
    const rejected: UnusedCode[] = [];
    // Without one code another may apply no more: each round loses one at least.
    for (;;) {
      const priced = await price(call, { ...wish, promotionCodes }, null, null);
      if (priced instanceof Refusal) return priced;
      if (priced.rejected_codes.length === 0) break;
      const over = new Set(priced.expired_codes);
      rejected.push(...priced.rejected_codes.map(({ code, reason }) => ({ code, reason, expired: over.has(code) })));
      const lost = new Set(priced.rejected_codes.map(({ code }) => code.toUpperCase()));
      promotionCodes = promotionCodes.filter((code) => !lost.has(code.toUpperCase()));
    }
    return { promotion_codes: promotionCodes, ...(rejected.length > 0 && { rejected }) };
  };

  const offer: IntentAppraisal['offer'] = async (call, given) => {
    const codes =
      given.lenient && given.promotionCodes.length > 0
        ? await usable(call, { ...given, items: merged(given.items) })
        : { promotion_codes: given.promotionCodes };
    // What else is wrong is told by what follows.
    const wish = codes instanceof Refusal ? given : { ...given, promotionCodes: codes.promotion_codes };
    const items = merged(wish.items);
    const { variants } = await must('CatalogDirectory/VariantsByIds', call, {
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
    const way = await delivery(call, items, wish, shipped, merchandise(goods));
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

  return {
    shop: (call) => must('StoreDirectory/GetProfile', call, { store: call.tenant.store }),
    offer,
    async redeliver(call, { point: pointBefore = null, ...before }, { address, optionId, ...where }) {
      const point = where.point ?? pointBefore;
      const items = before.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
      const way = await delivery(call, items, { address, point, optionId }, before.shipped, merchandise(before.priced));
      if (way instanceof Refusal) return way;
      const fee = (way.delivery ?? NO_DELIVERY).fee;
      // Whether shipping is free is the promotions' affair.
      const taxedAt = way.pickup ?? address;
      const fresh = await price(call, { items, promotionCodes: before.promotion_codes }, fee, taxedAt);
      const left = fresh instanceof Refusal ? fee : fresh.shipping_total;
      const lines = frozenLines(before.priced);
      const place = taxAddress(taxedAt);
      const taxed = await ask('PricingDirectory/TaxLines', call, {
        lines,
        shipping_fee: left,
        address: place,
      });
      if (taxed instanceof Refusal) return taxed;
      const priced: PriceBasketResponse = {
        ...before.priced,
        lines: before.priced.lines.map((line, at) => ({
          ...line,
          tax_amount: taxed.lines[at]!.tax_amount,
          total: taxed.lines[at]!.total,
        })),
        shipping_total: left,
        shipping_tax: taxed.shipping_tax,
        tax_total: taxed.tax_total,
        total: taxed.total,
        tax_inclusive: taxed.tax_inclusive,
      };
      const { delivery: chosen, options } = way;
      return { ...before, priced, delivery: chosen, shipping_options: options, ...pointWithout(address, point) };
    },
  };
};

const pointWithout = (address: AddressInput | null, point: Point | null) =>
  address === null && point ? { point } : {};

/** The lines after their discounts, before any tax that comes on top. */
const frozenLines = ({ lines, currency }: PriceBasketResponse) => {
  const unit = currencyOf(currency);
  return lines.map(({ variant_id, subtotal, discount }) => ({
    variant_id,
    total: toMajor(fromMajor(subtotal, unit) - fromMajor(discount, unit), unit),
  }));
};
