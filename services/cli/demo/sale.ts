// Makes one demo shopper buy, return and dispute products, and the shop decide on the returns and disputes.

import type { DisputeResponse, OrderDispute } from '#proto/gen/dispute.ts';
import type { OrderResponse, StoreOrder } from '#proto/gen/order.ts';
import type {
  AcceptCreditResponse,
  OrderReturn,
  ReturnResponse,
  UpdateReturnRequest,
} from '#proto/gen/order_return.ts';
import type { ListedProduct } from '#proto/gen/product.ts';
import type { Client } from './client.ts';
import { BOUGHT, type DemoReturn, DISPUTE, HOME, MWANGI, RETURNS } from './purchase.ts';
import { signInShopper } from './shopper.ts';

const PAGE = 100;

type Status = OrderReturn['status'];

/** Statuses that must be set, in order, to reach a status. */
const STATUS_PATHS: Readonly<Record<Status, readonly NonNullable<UpdateReturnRequest['status']>[]>> = {
  requested: [],
  approved: ['approved'],
  received: ['approved', 'received'],
  refunded: ['approved', 'received', 'refunded'],
  rejected: ['rejected'],
  credited: [],
  cancelled: [],
};

export const seedSale = async (store: Client): Promise<void> => {
  const { id: customer, api } = await signInShopper(store, MWANGI);
  const order = await seedOrder(store, customer);
  const asked = await store.all<OrderReturn>(`/v1/returns?order_id=${order.id}&`, 'data', PAGE);
  for (const each of RETURNS) await seedReturn(store, api, order, each, asked);
  const disputes = await store.all<OrderDispute>(`/v1/disputes?order_id=${order.id}&`, 'data', PAGE);
  if (disputes.length === 0)
    await api.post<DisputeResponse>('/v1/disputes', { order_id: order.id, ...DISPUTE, evidence_urls: [] });
};

const seedOrder = async (store: Client, customer: string): Promise<StoreOrder> => {
  const [known] = await store.all<StoreOrder>(`/v1/orders?customer_id=${customer}&`, 'orders', PAGE);
  const order = known ?? (await place(store, customer));
  const moved = { payment_status: 'paid', order_status: 'delivered' } as const;
  if (order.order_status === moved.order_status) return order;
  return (await store.sign<OrderResponse>('PATCH', `/v1/orders/${order.id}`, moved)).order;
};

const place = async (store: Client, customer: string): Promise<StoreOrder> => {
  const path = '/v1/products?fields=name,variant_id&';
  const listed = await store.all<Pick<ListedProduct, 'name' | 'variant_id'>>(path, 'products', PAGE);
  const items = BOUGHT.map((wanted) => ({
    variant_id: listed.find(({ name }) => name === wanted)?.variant_id,
    quantity: 1,
  }));
  const body = { items, customer_id: customer, shipping_address: HOME, shipping_option_id: 'place' };
  return (await store.sign<OrderResponse>('POST', '/v1/orders', body)).order;
};

const seedReturn = async (
  store: Client,
  api: Client,
  order: StoreOrder,
  { product, status, note, ...reason }: DemoReturn,
  asked: readonly OrderReturn[],
): Promise<void> => {
  const line = order.items.find(({ name }) => name === product)!;
  const known = asked.find(({ items }) => items.some(({ order_item_id }) => order_item_id === line.id));
  const wanted = { ...reason, items: [{ order_item_id: line.id, quantity: 1 }] };
  const given = known ?? (await api.post<ReturnResponse>(`/v1/orders/${order.id}/returns`, wanted)).data;
  if (given.status === status) return;
  const path = `/v1/returns/${given.id}`;
  const statuses = STATUS_PATHS[status];
  for (const next of statuses.slice(statuses.indexOf(given.status) + 1))
    await store.patch<ReturnResponse>(path, { status: next, ...(note !== null && { note }) });
  if (status === 'cancelled') await api.post<ReturnResponse>(`${path}/cancel`, {});
  if (status !== 'credited') return;
  await store.patch<ReturnResponse>(path, { credit_offer: { amount: line.total } });
  await api.post<AcceptCreditResponse>(`${path}/accept-credit`, {});
};
