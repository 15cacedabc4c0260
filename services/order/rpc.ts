// The door of orders.
import type { CreateOrderRequest, CreateShipmentRequest, OrderRpcs, StoreOrder } from '#proto/gen/order.ts';
import type { OrderDecisionRpcs, OrderDirectoryRpcs } from '#proto/gen/order_directory.ts';
import type { BuyLabelResponse } from '#proto/gen/shipping_directory.ts';
import { badAddress } from '#runtime/call/address.ts';
import { type Call, notFound, Refusal, refuse, renamed, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { type Handlers, query, staged, transaction } from '#runtime/door/rpc.ts';
import { enter } from '#runtime/postgres/renewal.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { changeOrder, save, withPayment } from './change.ts';
import { orderDocument } from './document.ts';
import type { Followed, FollowUps } from './follow_up.ts';
import { sendBack } from './give_back.ts';
import type { Labels } from './label.ts';
import type { OrderNeighbours } from './neighbour.ts';
import { amountDue, isInvoiced } from './order.ts';
import type { Origins } from './origin_reader.ts';
import { placeOrders, takesStockAlone } from './placing.ts';
import type { OrderPreparation, PreparedOrder } from './preparation.ts';
import { AUTOMATIC_USED_UP } from './promotion_use.ts';
import { makeRefund } from './refund.ts';
import { type Parcel, parcelOf, recordShipment } from './shipment.ts';
import { canBePaid } from './status.ts';
import { abortAttempt } from './table/decision.ts';
import { countOrders } from './table/group.ts';
import { moneyOf } from './table/money.ts';
import { findOrder, holdOrder, pageOfOrders, setRefundStatus } from './table/order.ts';
import { findPurchase } from './table/purchase.ts';

const LIMIT_DEFAULT = 20;

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export interface OrderParts {
  readonly neighbours: OrderNeighbours;
  readonly origins: Origins;
  readonly preparation: OrderPreparation;
  readonly labels: Labels;
  readonly followUps: FollowUps;
}

export const orderHandlers = (
  { log, postgres }: Pick<Foundation, 'log' | 'postgres'>,
  { neighbours, origins, preparation, labels, followUps }: OrderParts,
): Handlers<OrderRpcs> => {
  const followed = ({ attempt, origin, lines }: PreparedOrder, { id }: StoreOrder): Followed => ({
    id,
    attempt,
    origin,
    variants: lines.map(({ variant_id }) => variant_id),
  });

  /** What follows committed orders; what cannot be done now is done once their events are heard. */
  const follow = (call: Call, orders: readonly Followed[]): Promise<void> =>
    followUps
      .follow(call, orders)
      .catch((problem) => log.debug({ err: problem }, 'what follows an order is done a little later'));

  return {
    CreateOrder: staged<CreateOrderRequest, unknown, PreparedOrder>({
      prepare: async (call, input) => {
        const origin = await origins.read(call, input);
        return origin instanceof Refusal ? origin : preparation.prepare(call, input, origin);
      },
      run: async (tx, call, input, prepared) => {
        const placed = await placeOrders(tx, call.tenant, [{ input, prepared }]);
        if (placed instanceof Refusal) return placed;
        const [answer] = placed;
        tx.afterCommit(() => follow(call, [followed(prepared, answer!.order)]));
        return answer!;
      },
      together: {
        fits: takesStockAlone,
        run: async (tx, riders) => {
          const { call } = riders[0]!;
          const placings = riders.map(({ input, prepared }) => ({ input, prepared }));
          const placed = await placeOrders(tx, call.tenant, placings);
          if (placed instanceof Refusal) return null;
          tx.afterCommit(() =>
            follow(
              call,
              riders.map(({ prepared }, at) => followed(prepared, placed[at]!.order)),
            ),
          );
          return placed;
        },
      },
      overtaken: (refusal) => refusal === AUTOMATIC_USED_UP,
      undo: (call, { attempt, lines, origin }) =>
        origin.hold === null
          ? neighbours.release(
              call,
              attempt,
              lines.map(({ variant_id }) => variant_id),
            )
          : undefined,
    }) as Handlers<OrderRpcs>['CreateOrder'],

    UpdateOrder: transaction(async (tx, call, input) => {
      const { tenant } = call;
      const nowhere = badAddress(input.shipping_address, 'shipping_address');
      if (nowhere) return nowhere;
      const order = await holdOrder(tx.sql, tenant, input.id);
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
      const order = await holdOrder(tx.sql, call.tenant, input.id);
      if (order === null) return notFound('order');
      const made = await makeRefund(tx, call.tenant, order, input);
      if (made instanceof Refusal) return made;
      sendBack(tx, call, neighbours, order.id, made);
      if (input.items?.some(({ restock }) => restock)) tx.afterCommit(() => neighbours.settleStock(call));
      return made.response;
    }),

    CreateShipment: staged<CreateShipmentRequest, unknown, { label: BuyLabelResponse | null }>({
      /** A label is bought before it is recorded, under a name that a retry gives again. */
      prepare: async (call, input) => {
        const { rate_id, source } = input;
        if (!rate_id && !source) {
          if (input.carrier || input.tracking_number) return { label: null };
          return refuse('invalid_request', '`rate_id` and `source`, or `carrier` and `tracking_number`, are needed.', {
            param: 'rate_id',
          });
        }
        if (!rate_id || !source)
          return refuse('invalid_request', '`rate_id` and `source` go together.', {
            param: rate_id ? 'source' : 'rate_id',
          });
        const order = await findOrder(postgres.sql, call.tenant, input.id);
        if (order === null) return notFound('order');
        const parcel = parcelOf(order, input);
        if (parcel instanceof Refusal) return parcel;
        const bought = await labels(call, order, parcel, { id: rate_id, source });
        return bought instanceof Refusal ? renamed(bought, (param) => param.replace('shipping_rate_', '')) : bought;
      },
      run: async (tx, { tenant }, input, { label }) => {
        const order = await holdOrder(tx.sql, tenant, input.id);
        if (order === null) return notFound('order');
        const parcel: Parcel | Refusal = parcelOf(order, input);
        return parcel instanceof Refusal ? parcel : recordShipment(tx, tenant, order, input, parcel, label);
      },
      undo: () => {},
    }) as Handlers<OrderRpcs>['CreateShipment'],
  };
};

export const orderDirectoryHandlers: Handlers<OrderDirectoryRpcs> = {
  GetPayable: query(async (sql, { tenant }, { order_id }) => {
    const order = await findOrder(sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    return {
      order_id: order.id,
      order_number: String(order.number),
      currency: order.currency,
      amount_due: amountDue(order),
      payable: canBePaid(order.order_status, order.payment_status) && !isInvoiced(order),
      email: order.email,
      order_status: order.order_status,
      payment_status: order.payment_status,
    };
  }),

  SettleOrder: transaction(async (tx, { tenant }, { order_id }) => {
    const order = await holdOrder(tx.sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    const { received, refunded } = await moneyOf(tx.sql, tenant, order.id, order.currency);
    const before = orderDocument(tenant, order);
    const settled = withPayment({ ...order, amount_paid: received, amount_refunded: refunded });
    if (JSON.stringify(orderDocument(tenant, settled)) === JSON.stringify(before))
      return { payment_status: order.payment_status };
    const after = await save(tx, tenant, before, settled, { quiet: true });
    return { payment_status: after.payment_status };
  }),

  NotePayment: transaction(async (tx, { tenant }, { order_id, status }) => {
    const order = await holdOrder(tx.sql, tenant, order_id);
    if (order === null) return notFound('order', 'order_id');
    const open = order.payment_status === 'pending' || order.payment_status === 'failed';
    if (!open || order.payment_status === status) return { payment_status: order.payment_status };
    const after = await save(tx, tenant, orderDocument(tenant, order), { ...order, payment_status: status });
    return { payment_status: after.payment_status };
  }),

  NoteRefund: transaction(async (tx, { tenant }, { order_id, refund_id, succeeded }) => {
    const order = await holdOrder(tx.sql, tenant, order_id);
    const refund = order?.refunds.find(({ id }) => id === refund_id);
    if (!order || !refund) return notFound('refund', 'refund_id');
    const status = succeeded ? 'succeeded' : 'failed';
    if (refund.status === status) return { status };
    await setRefundStatus(tx.sql, tenant, order_id, refund_id, status);
    await save(tx, tenant, orderDocument(tenant, order), order);
    return { status };
  }),

  CountOrders: query(async (sql, { tenant }, { customers }) => ({
    orders_count: await countOrders(sql, tenant.environment, customers),
  })),

  FindPurchase: query((sql, { tenant }, { customer_id, product_id, order_id }) =>
    findPurchase(sql, tenant, { customer: customer_id, product: product_id, order: order_id ?? null }),
  ),
};

export const orderDecisionHandlers: Handlers<OrderDecisionRpcs> = {
  AbortHold: transaction(async (tx, { tenant }, { hold_id }) => {
    const life = await enter(tx.sql, [tenant]);
    if (life(tenant).shut) throw new Unavailable('The sandbox is being reset.');
    const committed = await abortAttempt(tx.sql, tenant, hold_id!, tx.clock.now(tenant));
    return { decision: committed ? 'committed' : 'aborted' };
  }),
};
