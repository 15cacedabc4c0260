// Prices a new order: its lines, its delivery, and its taxes by the address where the buyer receives the goods.
import type { CreateOrderRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { LocationAddress } from '#proto/gen/shipping_config.ts';
import { type Call, invalid, Refusal, refuse } from '#runtime/call/call.ts';
import { feeIn, goodsWorth, pinnedExchange, RATE_CHANGED } from '#services/commerce/pinned_rate.ts';
import type { Currency } from '#values/currency.ts';
import { normalCode } from '#values/text.ts';
import type { OrderClients } from './client.ts';
import type { ChosenDelivery, OrderOrigin } from './origin.ts';

export interface Cost {
  readonly priced: PriceBasketResponse;
  readonly delivery: ChosenDelivery | null;
}

/** The chosen delivery; with the address of the pickup point if the buyer collects the goods. */
interface DeliveryQuote {
  readonly delivery: ChosenDelivery;
  readonly pickup: LocationAddress | null;
}

export interface BasketToPrice {
  readonly origin: OrderOrigin;
  readonly customer: string | null;
  readonly email: string;
  readonly needsShipping: boolean;
  readonly currency: Currency;
}

export type Costs = (call: Call, input: CreateOrderRequest, basket: BasketToPrice) => Promise<Cost | Refusal>;

const taxAddress = (address: AddressInput | LocationAddress | null) =>
  address?.country
    ? { country: address.country, state: address.state ?? null, postal_code: address.postal_code ?? null }
    : null;

/**
 * Returns the refusal of the first promotion code that does not apply but must. Codes of the body must all apply. A code
 * of the cart may miss its conditions, because the cart then showed the price without the code.
 */
const codeObstacle = (
  { rejected_codes, unusable_codes }: PriceBasketResponse,
  named: readonly string[],
  kind: OrderOrigin['kind'],
): Refusal | null => {
  for (const { code, reason } of rejected_codes) {
    const at = named.findIndex((each) => normalCode(each) === normalCode(code));
    const param = at >= 0 ? `promotion_codes[${at}]` : unusable_codes.includes(code) ? kind : null;
    if (param !== null) return refuse('promotion_not_applicable', reason, { param, details: code });
  }
  return null;
};

export const openCosts = (clients: OrderClients): Costs => {
  const deliveryOf = async (
    call: Call,
    input: CreateOrderRequest,
    { origin, needsShipping }: BasketToPrice,
    merchandise: number,
  ): Promise<DeliveryQuote | Refusal | null> => {
    const address = input.shipping_address ?? origin.shippingAddress;
    const option = input.shipping_option_id ?? origin.shippingOption;
    const rate = input.shipping_rate_id ?? null;
    if ((rate === null) !== (input.shipping_rate_source == null))
      return invalid(
        rate === null ? 'shipping_rate_id' : 'shipping_rate_source',
        '`shipping_rate_id` and `shipping_rate_source` go together.',
      );
    if (rate !== null && input.shipping_option_id != null)
      return invalid('shipping_rate_id', 'Name `shipping_option_id` or `shipping_rate_id`, not both.');
    if (!needsShipping) return null;
    if (!address && !option?.startsWith('pickup:'))
      return invalid('shipping_address', '`shipping_address` is needed: a line of the order is shipped.');
    const found = await clients.quoteDelivery(call, {
      address: address ?? null,
      items: origin.requested.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
      order_total: merchandise,
      shipping_option_id: rate === null ? (option ?? 'place') : null,
      shipping_rate_id: rate,
      shipping_rate_source: input.shipping_rate_source ?? null,
    });
    if (found instanceof Refusal) return found;
    return {
      delivery: {
        optionId: found.option_id,
        name: found.option_name,
        fee: found.fee,
        rate: rate === null ? null : { id: rate, source: input.shipping_rate_source! },
        carrier: found.carrier,
      },
      pickup: found.pickup_address,
    };
  };

  return async (call, input, asked) => {
    const { origin, customer, email, currency } = asked;
    const named = input.promotion_codes ?? [];
    const basket = {
      currency: currency.code,
      items: origin.requested.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
      customer_id: customer,
      email,
      promotion_codes: [...origin.promotionCodes, ...named],
    };
    const refusal = (priced: PriceBasketResponse) => codeObstacle(priced, named, origin.kind);
    const goods = await clients.priceBasket(call, basket);
    if (goods instanceof Refusal) return goods;
    const refused = refusal(goods);
    if (refused) return refused;
    const way = await deliveryOf(call, input, asked, goodsWorth(goods));
    if (way instanceof Refusal) return way;
    const delivery = way && { ...way.delivery, fee: feeIn(way.delivery.fee, pinnedExchange(goods)) };
    // Goods collected at a pickup point are taxed there.
    const address = taxAddress(
      way?.pickup ?? input.shipping_address ?? origin.shippingAddress ?? input.billing_address ?? null,
    );
    const priced = await clients.priceBasket(call, { ...basket, shipping_fee: delivery?.fee ?? 0, address });
    if (priced instanceof Refusal) return priced;
    if (priced.exchange?.rate !== goods.exchange?.rate) return RATE_CHANGED;
    // Refuses here, too: another order may have used up a code since the first pricing.
    return refusal(priced) ?? { priced, delivery };
  };
};
