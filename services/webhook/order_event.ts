// Reads an order's event with the whole order, for the formats of assistants' platforms.
import type { StoreOrder } from '#proto/gen/order.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { TruncatedObject } from '#runtime/event/envelope.ts';

export interface OrderEvent {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly order: StoreOrder;
}

interface OrderEnvelope extends Omit<OrderEvent, 'order'> {
  readonly data: { readonly object: StoreOrder | TruncatedObject };
}

export type ReadOrder = (tenant: Tenant, id: string) => Promise<StoreOrder | null>;

/**
 * `payload` is the event as logged; if it was truncated, the current order replaces it. Returns null if the order no
 * longer exists.
 */
export const readOrderEvent = async (payload: string, tenant: Tenant, read: ReadOrder): Promise<OrderEvent | null> => {
  const { data, ...event }: OrderEnvelope = JSON.parse(payload);
  const { object } = data;
  if (!('truncated' in object)) return { ...event, order: object };
  const order = object.id === null ? null : await read(tenant, object.id);
  return order && { ...event, order };
};
