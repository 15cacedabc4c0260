// Prices an agent's basket at current prices, or taxes promised prices at another place.
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

export interface IntentBasket {
  readonly items: readonly OrderItemRequest[];
  readonly promotionCodes: readonly string[];
  readonly promised?: ReadonlyMap<string, PromisedLine>;
  /** Code of the currency of the prices; null for the store's own. */
  readonly currency: string | null;
}

type TaxedPlace = AddressInput | LocationAddress | null;

export interface IntentPricing {
  price(
    call: Call,
    basket: IntentBasket,
    fee: number | null,
    address: TaxedPlace,
  ): Promise<PriceBasketResponse | Refusal>;
  /** Splits the promotion codes into those that apply and, with reasons, those that do not. */
  usable(call: Call, basket: IntentBasket): Promise<Pick<IntentOffer, 'promotion_codes' | 'rejected'> | Refusal>;
  retaxed(
    call: Call,
    before: PriceBasketResponse,
    fee: number,
    address: TaxedPlace,
  ): Promise<PriceBasketResponse | Refusal>;
}

const taxAddress = (address: AddressInput | LocationAddress | null) =>
  address?.country
    ? { country: address.country, state: address.state ?? null, postal_code: address.postal_code ?? null }
    : null;

const frozenLines = ({ lines, currency }: PriceBasketResponse) => {
  const unit = currencyOf(currency);
  return lines.map(({ variant_id, subtotal, discount }) => ({
    variant_id,
    total: toMajor(fromMajor(subtotal, unit) - fromMajor(discount, unit), unit),
  }));
};

export const openPricing = ({ ask }: Pick<DomainClient, 'ask'>): IntentPricing => {
  const price: IntentPricing['price'] = (call, basket, fee, address) =>
    ask('PricingDirectory/PriceBasket', call, {
      items: basket.items.map((item) => {
        const promised = basket.promised?.get(item.variant_id);
        return promised ? { ...item, unit_price: promised.unitPrice } : item;
      }),
      currency: basket.currency,
      promotion_codes: basket.promotionCodes,
      shipping_fee: fee,
      address: taxAddress(address),
    });

  const usable: IntentPricing['usable'] = async (call, basket) => {
    let promotionCodes = basket.promotionCodes;
    const rejected: UnusedCode[] = [];
    // Repeats, because leaving out one code may make another fail. Ends, because each round leaves out a code.
    for (;;) {
      const priced = await price(call, { ...basket, promotionCodes }, null, null);
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
      currency: before.currency,
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
