// The door of orders that are placed: listed, read, changed, refunded.
import type { OrderRpcs } from '#proto/gen/order.ts';
import { notFound, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import { unsendable } from '#services/commerce/address.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { changeOrder } from './change.ts';
import { orderDocument } from './document.ts';
import { sendBack } from './give_back.ts';
import type { OrderNeighbours } from './neighbour.ts';
import { makeRefund } from './refund.ts';
import { holdSettled } from './settling.ts';
import { findOrder, pageOfOrders } from './table/order.ts';

const LIMIT_DEFAULT = 20;

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export const orderHandlers = (
  neighbours: OrderNeighbours,
): Omit<Handlers<OrderRpcs>, 'CreateOrder' | 'CreateShipment'> => ({
  UpdateOrder: transaction(async (tx, call, input) => {
    const { tenant } = call;
    const nowhere = unsendable(input.shipping_address, 'shipping_address');
    if (nowhere) return nowhere;
    const order = await holdSettled(tx, tenant, input.id);
    if (order === null) return notFound('order');
    const changed = await changeOrder(tx, tenant, order, input);
    if (changed instanceof Refusal) return changed;
    if (changed.order_status === 'cancelled') tx.afterCommit(() => neighbours.settleStock(call));
    return { order: changed };
  }),

  ListOrders: query(async (sql, { tenant }, input) => {
    const { limit = LIMIT_DEFAULT, cursor, fields: _fields, ...filters } = input;
    const scope = JSON.stringify(['orders', tenantKey(tenant), filters]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null)
      return refuse('invalid_request', 'The cursor is not one of this list.', { param: 'cursor' });
    const number = input.order_number === undefined ? null : Number(input.order_number);
    // What is spelt otherwise than a number of ours is none, whatever it counts as.
    const page =
      number !== null && !(Number.isSafeInteger(number) && String(number) === input.order_number)
        ? []
        : await pageOfOrders(sql, tenant, {
            customer: input.customer_id ?? null,
            orderStatus: input.order_status ?? null,
            paymentStatus: input.payment_status ?? null,
            createdAfter: timeOf(input.created_after),
            createdBefore: timeOf(input.created_before),
            number,
            before: keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) },
            limit: limit + 1,
          });
    const orders = page.slice(0, limit);
    const last = page.length > limit ? orders.at(-1)! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    return {
      orders: orders.map((order) => orderDocument(tenant, order)),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),

  GetOrder: query(async (sql, { tenant }, { id }) => {
    const order = await findOrder(sql, tenant, id);
    return order === null ? notFound('order') : { order: orderDocument(tenant, order) };
  }),

  CreateRefund: transaction(async (tx, call, input) => {
    const order = await holdSettled(tx, call.tenant, input.id);
    if (order === null) return notFound('order');
    const made = await makeRefund(tx, call.tenant, order, input);
    if (made instanceof Refusal) return made;
    sendBack(tx, call, neighbours, order.id, made);
    if (input.items?.some(({ restock }) => restock)) tx.afterCommit(() => neighbours.settleStock(call));
    return made.response;
  }),
});
