// A shopper's request to return an order, or units of it.
import { randomUUIDv7 } from 'bun';
import type { CreateReturnRequest } from '#proto/gen/order_return.ts';
import { counted, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { mailReturn } from '#services/order/mail.ts';
import type { WholeOrder } from '#services/order/order.ts';
import { type Claims, claimsOn, saveReturn } from '#services/order/table/return.ts';
import { needsDetail, type ReturnedItem, type ReturnRecord } from './return.ts';

const DAY_MS = 86_400_000;

const returnWindowObstacle = (
  { order_status, delivered_at, return_window_days }: WholeOrder,
  now: Date,
): Refusal | null => {
  if (order_status !== 'shipped' && order_status !== 'delivered')
    return refuse('conflict', `An order can be returned once it is shipped; this one is ${order_status}.`, {
      details: `It is ${order_status}.`,
    });
  if (delivered_at === null || now.getTime() <= delivered_at.getTime() + return_window_days * DAY_MS) return null;
  return refuse('conflict', `The return window ended ${return_window_days} days after the delivery.`, {
    details: `It ended ${return_window_days} days after the delivery.`,
  });
};

const readItems = (
  order: WholeOrder,
  requested: CreateReturnRequest['items'],
  { units }: Claims,
): readonly ReturnedItem[] | Refusal => {
  const leftOf = (line: WholeOrder['lines'][number]): number =>
    line.quantity - line.quantity_returned - (units.get(line.id) ?? 0);
  if (requested === undefined) {
    if (order.lines.some((line) => leftOf(line) < line.quantity))
      return refuse('conflict', 'Some units are returned already. Name the others in `items`.', { param: 'items' });
    return order.lines.map(({ id, quantity }) => ({ order_item_id: id, quantity }));
  }
  const items: ReturnedItem[] = [];
  for (const [at, { order_item_id, quantity }] of requested.entries()) {
    const line = order.lines.find(({ id }) => id === order_item_id.toLowerCase());
    if (!line) return notFound('order item', `items[${at}].order_item_id`);
    if (items.some((other) => other.order_item_id === line.id))
      return refuse('invalid_request', `Item ${line.id} is named twice. Merge its quantities.`, {
        param: `items[${at}].order_item_id`,
      });
    if (quantity > leftOf(line))
      return refuse(
        'conflict',
        `Only ${counted(leftOf(line), 'unit')} of this item can be returned, not ${quantity}. Send a lower quantity.`,
        { param: `items[${at}].quantity` },
      );
    items.push({ order_item_id: line.id, quantity });
  }
  return items;
};

export const requestReturn = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  customer: string,
  input: CreateReturnRequest,
): Promise<ReturnRecord | Refusal> => {
  const now = tx.clock.now(tenant);
  const refusal = returnWindowObstacle(order, now);
  if (refusal) return refusal;
  const detail = input.reason_detail ?? null;
  if (needsDetail(input.reason_code) && (detail === null || detail.trim() === ''))
    return refuse('invalid_request', `\`reason_detail\` is required with the reason \`${input.reason_code}\`.`, {
      param: 'reason_detail',
    });
  const items = readItems(order, input.items, await claimsOn(tx.sql, tenant, order.id));
  if (items instanceof Refusal) return items;
  const made: ReturnRecord = {
    id: randomUUIDv7(),
    order_id: order.id,
    customer_id: customer,
    status: 'requested',
    reason_code: input.reason_code,
    reason_detail: detail,
    contact_phone: input.contact_phone ?? null,
    resolution: input.resolution ?? 'full_refund',
    items,
    received: false,
    worth: null,
    refund_amount: null,
    offer_status: null,
    offer_amount: null,
    exchange_order_id: null,
    note: null,
    created_at: now,
    updated_at: now,
    currency: order.currency,
  };
  await saveReturn(tx.sql, tenant, made);
  await mailReturn(tx, tenant, 'return_received', made, order);
  return made;
};
