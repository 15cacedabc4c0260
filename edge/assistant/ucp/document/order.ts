// Formats an order as a UCP order.
import type { StoreOrder } from '#proto/gen/order.ts';
import { ucpOrder } from '#services/commerce/ucp_order.ts';
import type { Setting } from './envelope.ts';
import type { Order } from './schema.ts';

export const orderDocument = ({ base }: Pick<Setting, 'base'>, order: StoreOrder): Order => ucpOrder(order, base);
