// The rpc handlers of orders: create, list, read, change, refund, and reads for other domains.
import type { CreateOrderRequest, OrderRpcs } from '#proto/gen/order.ts';
import type { OrderDirectoryRpcs } from '#proto/gen/order_directory.ts';
import { foreignCursor, notFound, Refusal, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import { badAddress, unsendable } from '#services/commerce/address.ts';
import type { OrderBooks } from '#services/ledger/index.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { changeOrder, lockSettledOrder, saveChange, syncWithLedger } from './change.ts';
import type { OrderClients } from './client.ts';
import { orderDocument } from './document.ts';
import { committedOrder, type FollowUps } from './follow_up.ts';
import { amountDue, canBePaid, isInvoiced } from './order.ts';
import type { Origins } from './origin.ts';
import { needsStockOnly, placeOrders } from './placement.ts';
import { type OrderPreparation, type PreparedOrder, releaseStock } from './preparation.ts';
import { AUTOMATIC_USED_UP } from './promotion_use.ts';
import { refundByHand, sendToProviders } from './refund.ts';
import { countOrders } from './table/group.ts';
import { findOrder, findPurchase, lockOrder, pageOfOrders, setRefundStatus } from './table/order.ts';

/** Returns the part of the books that the ledger needs. */
const booksIn = ({ currency, rate, total, order_total }: OrderBooks): OrderBooks => ({
  currency,
  rate,
  total,
  order_total,
});

export const orderDirectoryHandlers: Handlers<OrderDirectoryRpcs> = {
  GetPayable: query(async (sql, { tenant }, { order_id }) => {
    const order = await findOrder(sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    return {
      order_id: order.id,
      order_number: String(order.number),
      currency: order.currency,
      amount_due: amountDue(order),
      payable:
        canBePaid(order.order_status, order.payment_status) &&
        order.payment_status !== 'authorized' &&
        !isInvoiced(order),
      email: order.email,
      order_status: order.order_status,
      payment_status: order.payment_status,
      books: order.books && booksIn(order.books),
    };
  }),

  SettleOrder: transaction(async (tx, { tenant }, { order_id }) => {
    const order = await lockOrder(tx.sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    const { payment_status } = await syncWithLedger(tx, tenant, order);
    return { payment_status };
  }),

  NotePayment: transaction(async (tx, { tenant }, { order_id, status }) => {
    const order = await lockOrder(tx.sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    const open = ['pending', 'failed', 'voided'].includes(order.payment_status);
    if (!open || order.payment_status === status) return { payment_status: order.payment_status };
    const after = await saveChange(tx, tenant, orderDocument(tenant, order), { ...order, payment_status: status });
    return { payment_status: after.payment_status };
  }),

  NoteRefund: transaction(async (tx, { tenant }, { order_id, refund_id, succeeded }) => {
    const order = await lockOrder(tx.sql, tenant, order_id);
    const refund = order?.refunds.find(({ id }) => id === refund_id);
    if (!order || !refund) return notFound('refund', 'refund_id');
    const status = succeeded ? 'succeeded' : 'failed';
    if (refund.status === status) return { status };
    await setRefundStatus(tx.sql, tenant, order_id, refund_id, status);
    await saveChange(tx, tenant, orderDocument(tenant, order), order);
    return { status };
  }),

  CountOrders: query(async (sql, { tenant }, { customers }) => ({
    orders_count: await countOrders(sql, tenant.environment, customers),
  })),

  FindPurchase: query((sql, { tenant }, { customer_id, product_id, order_id }) =>
    findPurchase(sql, tenant, { customer: customer_id, product: product_id, order: order_id ?? null }),
  ),
};

export interface PlaceOrderParts {
  readonly clients: OrderClients;
  readonly origins: Origins;
  readonly preparation: OrderPreparation;
  readonly followUps: FollowUps;
}

export const placeOrderHandlers = ({
  clients,
  origins,
  preparation,
  followUps,
}: PlaceOrderParts): Pick<Handlers<OrderRpcs>, 'CreateOrder'> => ({
  CreateOrder: staged<CreateOrderRequest, unknown, PreparedOrder>({
    prepare: async (call, input) => {
      const origin = await origins.read(call, input);
      return origin instanceof Refusal ? origin : preparation.prepare(call, input, origin);
    },
    run: async (tx, call, input, prepared) => {
      const placed = await placeOrders(tx, call.tenant, [{ input, prepared }]);
      if (placed instanceof Refusal) return placed;
      const [answer] = placed;
      followUps.completeAfterCommit(tx, call, [committedOrder(answer!.order.id, prepared)]);
      return answer!;
    },
    group: {
      fits: needsStockOnly,
      run: async (tx, group) => {
        const { call } = group[0]!;
        const placements = group.map(({ input, prepared }) => ({ input, prepared }));
        const placed = await placeOrders(tx, call.tenant, placements);
        if (placed instanceof Refusal) return null;
        const committed = group.map(({ prepared }, at) => committedOrder(placed[at]!.order.id, prepared));
        followUps.completeAfterCommit(tx, call, committed);
        return placed;
      },
    },
    overtaken: (refusal) => refusal === AUTOMATIC_USED_UP,
    ownsPrepared: true,
    undo: (call, prepared) => releaseStock(clients, call, prepared),
  }) as Handlers<OrderRpcs>['CreateOrder'],
});

const LIMIT_DEFAULT = 20;

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export const orderHandlers = (clients: OrderClients): Omit<Handlers<OrderRpcs>, 'CreateOrder' | 'CreateShipment'> => ({
  UpdateOrder: transaction(async (tx, call, input) => {
    const { tenant } = call;
    const nowhere = unsendable(input.shipping_address) ?? badAddress(input.billing_address, 'billing_address');
    if (nowhere) return nowhere;
    const order = await lockSettledOrder(tx, tenant, input.id);
    if (order === null) return notFound('order');
    const changed = await changeOrder(tx, tenant, order, input);
    if (changed instanceof Refusal) return changed;
    if (changed.order_status === 'cancelled') tx.afterCommit(() => clients.settleStockLevels(call));
    return { order: changed };
  }),

  ListOrders: query(async (sql, { tenant }, input) => {
    const { limit = LIMIT_DEFAULT, cursor, fields: _fields, ...filters } = input;
    const scope = JSON.stringify(['orders', tenantKey(tenant), filters]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null) return foreignCursor(cursor);
    const number = input.order_number === undefined ? null : Number(input.order_number);
    // Order numbers match exactly as written: `01001` finds nothing.
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
            search: input.search ?? null,
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
    const order = await lockSettledOrder(tx, call.tenant, input.id);
    if (order === null) return notFound('order');
    const made = await refundByHand(tx, call.tenant, order, input);
    if (made instanceof Refusal) return made;
    sendToProviders(tx, call, clients, order.id, made);
    if (input.items?.some(({ restock }) => restock)) tx.afterCommit(() => clients.settleStockLevels(call));
    return made.response;
  }),
});
