// What an agent's basket costs: at this moment, or with lines as they were promised and the taxes of another place.
import type { UnusedCode } from '#proto/gen/agent.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { LocationAddress } from '#proto/gen/shipping_config.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { currencyOf } from '#values/currency.ts';
import { fromMajor, toMajor } from '#values/money.ts';
import type { IntentOffer, PromisedLine } from './offer.ts';

/** What is to be priced. */
export interface PricedWish {
  readonly items: readonly OrderItemRequest[];
  readonly promotionCodes: readonly string[];
  /** What stays as it was promised, by variant; left out: nothing does. */
  readonly promised?: ReadonlyMap<string, PromisedLine>;
}

/** Where taxes are those of. */
type TaxedPlace = AddressInput | LocationAddress | null;

export interface IntentPricing {
  price(call: Call, wish: PricedWish, fee: number | null, address: TaxedPlace): Promise<PriceBasketResponse | Refusal>;
  /** The codes that are left, and why the others are not: none of those is refused to an assistant. */
  usable(call: Call, wish: PricedWish): Promise<Pick<IntentOffer, 'promotion_codes' | 'rejected'> | Refusal>;
  /** Goods that were priced before, with another fee and the taxes of another place. */
  retaxed(
    call: Call,
    before: PriceBasketResponse,
    fee: number,
    address: TaxedPlace,
  ): Promise<PriceBasketResponse | Refusal>;
}

/** "merchandise after discounts, before tax and shipping", in major units. */
export const merchandise = ({ subtotal, discount_total, currency }: PriceBasketResponse): number => {
  const unit = currencyOf(currency);
  return toMajor(fromMajor(subtotal, unit) - fromMajor(discount_total, unit), unit);
};

const taxAddress = (address: AddressInput | LocationAddress | null) =>
  address?.country
    ? { country: address.country, state: address.state ?? null, postal_code: address.postal_code ?? null }
    : null;

/** The lines after their discounts, before any tax that comes on top. */
const frozenLines = ({ lines, currency }: PriceBasketResponse) => {
  const unit = currencyOf(currency);
  return lines.map(({ variant_id, subtotal, discount }) => ({
    variant_id,
    total: toMajor(fromMajor(subtotal, unit) - fromMajor(discount, unit), unit),
  }));
};

export const openPricing = ({ ask }: Pick<DomainClient, 'ask'>): IntentPricing => {
  const price: IntentPricing['price'] = (call, wish, fee, address) =>
    ask('PricingDirectory/PriceBasket', call, {
      items: wish.items.map((item) => {
        const kept = wish.promised?.get(item.variant_id);
        return kept ? { ...item, unit_price: kept.unitPrice } : item;
      }),
      promotion_codes: wish.promotionCodes,
      shipping_fee: fee,
      address: taxAddress(address),
    });

  const usable: IntentPricing['usable'] = async (call, wish) => {
    let promotionCodes = wish.promotionCodes;
    const rejected: UnusedCode[] = [];
    // Without one code another may apply no more: each round loses one at least.
    for (;;) {
      const priced = await price(call, { ...wish, promotionCodes }, null, null);
      if (priced instanceof Refusal) return priced;
      if (priced.rejected_codes.length === 0) break;
      const over = new Set(priced.expired_codes);
      rejected.push(...priced.rejected_codes.map((unused) => ({ ...unused, expired: over.has(unused.code) })));
      const lost = new Set(priced.rejected_codes.map(({ code }) => code.toUpperCase()));
      promotionCodes = promotionCodes.filter((code) => !lost.has(code.toUpperCase()));
    }
    return { promotion_codes: promotionCodes, ...(rejected.length > 0 && { rejected }) };
  };

  const retaxed: IntentPricing['retaxed'] = async (call, before, fee, address) => {
    const taxed = await ask('PricingDirectory/TaxLines', call, {
      lines: frozenLines(before),
      shipping_fee: fee,
      address: taxAddress(address),
    });
    if (taxed instanceof Refusal) return taxed;
    return {
      ...before,
      lines: before.lines.map((line, at) => ({
        ...line,
        tax_amount: taxed.lines[at]!.tax_amount,
        total: taxed.lines[at]!.total,
      })),
      shipping_total: fee,
      shipping_tax: taxed.shipping_tax,
      tax_total: taxed.tax_total,
      total: taxed.total,
      tax_inclusive: taxed.tax_inclusive,
    };
  };

  return { price, usable, retaxed };
};
