// How an agent's basket can be delivered, and where a buyer comes for what is picked up.
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import type { LocationAddress } from '#proto/gen/shipping_config.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { Point } from '#values/geo/distance.ts';
import { placeOf } from './address.ts';
import type { OfferedDelivery } from './offer.ts';

/** Where the goods are to go, and how. */
export interface IntentDestination {
  readonly address: AddressInput | null;
  /** On the map, where no address says it. */
  readonly point: Point | null;
  readonly optionId: string | null;
}

/** What is to be delivered. */
export interface IntentConsignment {
  readonly items: readonly OrderItemRequest[];
  readonly shipped: boolean;
  /** Of the merchandise, in major units. */
  readonly total: number;
}

/** How the goods travel where that is known, and how else they could. */
export interface Way {
  readonly delivery: OfferedDelivery | null;
  /** Where the buyer comes for them: what is picked up is taxed there. */
  readonly pickup: LocationAddress | null;
  readonly options: readonly ShippingChoice[];
}

export type FindWay = (call: Call, consignment: IntentConsignment, to: IntentDestination) => Promise<Way | Refusal>;

export const openDelivery = ({ ask }: Pick<DomainClient, 'ask'>): FindWay => {
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
  return async (call, { items, shipped, total }, { address, point, optionId }) => {
    if (!shipped) return { delivery: null, pickup: null, options: [] };
    const place = placeOf(address, point);
    const options = await choices(call, items, place, total);
    const placeless = place === null && !optionId?.startsWith('pickup:');
    if (optionId === null || placeless) return { delivery: null, pickup: null, options };
    const chosen = await deliver(call, items, place, optionId, total);
    return chosen instanceof Refusal ? chosen : { ...chosen, options };
  };
};
