// Quotes delivery of an agent's basket: the options, the fee of the chosen option, and its pickup location.
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import type { LocationAddress } from '#proto/gen/shipping_config.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { feeIn } from '#services/commerce/pinned_rate.ts';
import type { Conversion } from '#values/exchange.ts';
import type { Point } from '#values/geo/distance.ts';
import type { OfferedDelivery } from './offer.ts';

export const pointOf = (latitude: number | null | undefined, longitude: number | null | undefined): Point | null =>
  latitude == null || longitude == null ? null : { latitude, longitude };

export const placeOf = (address: AddressInput | null, point: Point | null): AddressInput | null =>
  address ?? (point && { line1: '', city: '', country: '', ...point });

export const withPoint = (
  address: AddressInput | null,
  latitude: number | null | undefined,
  longitude: number | null | undefined,
): AddressInput | null =>
  address === null || latitude == null || longitude == null ? address : { ...address, latitude, longitude };

export interface IntentDestination {
  readonly address: AddressInput | null;
  readonly point: Point | null;
  readonly optionId: string | null;
  /** The buyer's language, in which the options are named; the store's default one without it. */
  readonly language?: string | null;
}

export interface IntentConsignment {
  readonly items: readonly OrderItemRequest[];
  readonly shipped: boolean;
  /** Worth of the goods in major units of the store's currency. */
  readonly total: number;
  /** Into the currency of the quoted fees; null for the store's own. */
  readonly exchange: Conversion | null;
}

export interface DeliveryQuote {
  readonly delivery: OfferedDelivery | null;
  readonly pickup: LocationAddress | null;
  readonly options: readonly ShippingChoice[];
}

export type QuoteDelivery = (
  call: Call,
  consignment: IntentConsignment,
  to: IntentDestination,
) => Promise<DeliveryQuote | Refusal>;

export const openDelivery = ({ ask }: Pick<DomainClient, 'ask'>): QuoteDelivery => {
  const choices = async (
    call: Call,
    items: readonly OrderItemRequest[],
    address: AddressInput | null,
    total: number,
    language: string | null,
  ): Promise<readonly ShippingChoice[]> => {
    if (address === null) return [];
    const found = await ask('ShippingDirectory/ListChoices', call, {
      address,
      items,
      order_total: total,
      language,
    });
    return found instanceof Refusal ? [] : found.options;
  };

  const deliver = async (
    call: Call,
    items: readonly OrderItemRequest[],
    address: AddressInput | null,
    optionId: string,
    total: number,
  ): Promise<Pick<DeliveryQuote, 'delivery' | 'pickup'> | Refusal> => {
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

  /**
   * Returns the options, and the chosen delivery if an option is chosen and, unless it is pickup, the place is known.
   */
  return async (call, { items, shipped, total, exchange }, { address, point, optionId, language = null }) => {
    if (!shipped) return { delivery: null, pickup: null, options: [] };
    const place = placeOf(address, point);
    const found = await choices(call, items, place, total, language);
    const options =
      exchange === null
        ? found
        : found.map((option) => ({ ...option, fee: feeIn(option.fee, exchange), currency: exchange.to.code }));
    const placeless = place === null && !optionId?.startsWith('pickup:');
    if (optionId === null || placeless) return { delivery: null, pickup: null, options };
    const chosen = await deliver(call, items, place, optionId, total);
    if (chosen instanceof Refusal) return chosen;
    const { delivery, pickup } = chosen;
    return { delivery: delivery && { ...delivery, fee: feeIn(delivery.fee, exchange) }, pickup, options };
  };
};
