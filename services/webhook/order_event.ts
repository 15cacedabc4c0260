// An event of an order with the order whole, as assistants' platforms are told of it.
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

/** An order as it stands; null: there is none any more. */
export type ReadOrder = (tenant: Tenant, id: string) => Promise<StoreOrder | null>;

/**
 * `payload`: the event's envelope. One that had no room for its order tells of it as it stands now. Null: there is no such
 * order any more.
 */
export const orderEventOf = async (payload: string, tenant: Tenant, read: ReadOrder): Promise<OrderEvent | null> => {
  const { data, ...event }: OrderEnvelope = JSON.parse(payload);
  const { object } = data;
  if (!('truncated' in object)) return { ...event, order: object };
  const order = object.id === null ? null : await read(tenant, object.id);
  return order && { ...event, order };
};
