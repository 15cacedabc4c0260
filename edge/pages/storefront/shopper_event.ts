// Records what the shopper does with products, for recommendations and for the store's report of the steps to a purchase.
import type { Storefront } from '#proto/client/storefront.ts';
import type { RecordEventRequest } from '#proto/gen/client/message.ts';

type ShopperEvent = Pick<RecordEventRequest, 'event_type' | 'variant_id' | 'product_id'>;

/** Sends the event without a wait. A lost event changes no page, so failures are ignored. */
export const recordEvent = ({ api }: { readonly api: Pick<Storefront, 'events'> }, event: ShopperEvent): void => {
  api.events.record(event).catch(() => {});
};
