// What conversations ask of other domains: whether a customer is the store's, and whose an order is.
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';

export interface MessageNeighbours {
  /** Why this customer cannot be written to; null where they can. */
  refuseCustomer(call: Call, customer: string): Promise<Refusal | null>;
  /** Why a thread of this customer's cannot be about that order; null where it can. Another's is as good as none. */
  refuseOrder(call: Call, order: string, customer: string): Promise<Refusal | null>;
}

export const openNeighbours = ({ ask }: DomainClient): MessageNeighbours => ({
  refuseCustomer: async (call, customer) => {
    const found = await ask('CustomerDirectory/FindCustomer', call, { customer_id: customer });
    return found instanceof Refusal ? found : null;
  },
  refuseOrder: async (call, order, customer) => {
    const found = await ask('Order/GetOrder', call, { id: order });
    if (found instanceof Refusal && found.code !== 'not_found') return found;
    return found instanceof Refusal || found.order.customer_id !== customer ? notFound('order', 'order_id') : null;
  },
});
