// Orders of purchase orders: placed at agreed prices, then shipped. Each moves its purchase order in the same transaction.
import type {
  AgreedOrderRpcs,
  PlaceAgreedOrderRequest,
  PlaceAgreedOrderResponse,
  ShipAgreedOrderRequest,
  ShipAgreedOrderResponse,
} from '#proto/gen/order_directory.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import { type Call, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { confirmPurchaseOrder, fulfilPurchaseOrder } from '#services/b2b/transaction.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { pricedLines, readLines } from './basket.ts';
import { orderDocument } from './document.ts';
import type { FollowUps } from './follow_up.ts';
import { NO_ORIGIN } from './origin.ts';
import { eventsOf, LATE, orderOf, settled, takeAll } from './placement.ts';
import { letGo, type PreparationParts, type PreparedOrder } from './preparation.ts';
import { openParcel, parcelOf, recordShipment } from './shipment.ts';
import { commitAttempts } from './table/decision.ts';
import { holdOrder, insertOrders } from './table/order.ts';

export const agreedOrderHandlers = (
  { log }: Pick<Runtime, 'log'>,
  parts: Pick<PreparationParts, 'neighbours' | 'numbers' | 'hold'> & { readonly followUps: FollowUps },
): Handlers<AgreedOrderRpcs> => ({
  PlaceAgreedOrder: staged<PlaceAgreedOrderRequest, PlaceAgreedOrderResponse, PreparedOrder>({
    prepare: (call, input) => prepareAgreed(parts, call, input),
    run: async (tx, call, input, prepared) => {
      const { attempt, origin, lines } = prepared;
      const variants = lines.map(({ variant_id }) => variant_id);
      tx.afterCommit(() =>
        parts.followUps
          .follow(call, [{ id: input.order_id, attempt, origin, variants }])
          .catch((problem) => log.debug({ err: problem }, 'what follows an order is done a little later')),
      );
      return placeAgreed(tx, call.tenant, input, prepared);
    },
    ownsPrepared: true,
    undo: (call, prepared) => letGo(parts.neighbours, call, prepared),
  }),

  ShipAgreedOrder: transaction((tx, { tenant }, input) => shipAgreed(tx, tenant, input)),
});

const MOVED = refuse('conflict', 'The purchase order was moved on at this moment.');
const CANCELLED = refuse('conflict', 'The order is cancelled.');

/** What it costs: agreed lines without promotions and delivery. */
const pricedAs = ({ currency: code, tax_inclusive, lines }: PlaceAgreedOrderRequest): PriceBasketResponse => {
  const currency = currencyOf(code);
  const major = (minor: number): number => toMajor(minor, currency);
  const subtotal = lines.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0);
  const tax = lines.reduce((sum, { tax_amount }) => sum + tax_amount, 0);
  return {
    currency: code,
    tax_inclusive,
    lines: lines.map(({ variant_id, quantity, unit_price, tax_amount }) => ({
      variant_id,
      quantity,
      unit_price: major(unit_price),
      subtotal: major(quantity * unit_price),
      discount: 0,
      tax_amount: major(tax_amount),
      total: major(quantity * unit_price + (tax_inclusive ? 0 : tax_amount)),
      price_list_id: null,
    })),
    subtotal: major(subtotal),
    discount_total: 0,
    shipping_total: 0,
    shipping_tax: 0,
    tax_total: major(tax),
    total: major(subtotal + (tax_inclusive ? 0 : tax)),
    applied_promotions: [],
    rejected_codes: [],
    expired_codes: [],
    unusable_codes: [],
  };
};

/** Everything that the transaction needs, with its stock held. */
export const prepareAgreed = async (
  { neighbours, numbers, hold }: Pick<PreparationParts, 'neighbours' | 'numbers' | 'hold'>,
  call: Call,
  input: PlaceAgreedOrderRequest,
): Promise<PreparedOrder | Refusal> => {
  const wanted = input.lines.map(({ variant_id, quantity }, at) => ({
    variant: variant_id,
    quantity,
    param: `items[${at}].variant_id`,
  }));
  const [shop, found] = await Promise.all([neighbours.shop(call), readLines(neighbours, call, wanted)]);
  if (found instanceof Refusal) return found;
  const number = await numbers.next(call.tenant);
  const reserved = await hold(call, input.command_id, wanted);
  if (reserved instanceof Refusal) return reserved;
  const currency = currencyOf(input.currency);
  const priced = pricedAs(input);
  return {
    ...reserved,
    number,
    origin: { ...NO_ORIGIN, kind: 'purchase_order', id: input.purchase_order_id, wanted },
    shop,
    currency,
    customer: input.customer_id,
    email: input.email,
    emails: [input.email],
    shippingAddress: input.shipping_address ?? null,
    billingAddress: input.billing_address ?? input.shipping_address ?? null,
    delivery: null,
    priced,
    lines: pricedLines(found.lines, priced, currency),
  };
};

/** "Its order starts `confirmed`"; one that costs nothing is paid at once, as any other. */
export const placeAgreed = async (
  tx: Transaction,
  tenant: Tenant,
  input: PlaceAgreedOrderRequest,
  prepared: PreparedOrder,
): Promise<PlaceAgreedOrderResponse | Refusal> => {
  const now = tx.clock.now(tenant);
  if ((await commitAttempts(tx.sql, tenant, [prepared.attempt], now)).length > 0) return LATE;
  const { order_id: id, purchase_order_id, command_id: command } = input;
  const order = settled({ ...orderOf({}, prepared, now), id, order_status: 'confirmed' });
  if (!(await confirmPurchaseOrder(tx, tenant, { id: purchase_order_id, order: id, command }))) return MOVED;
  await insertOrders(tx.sql, tenant, [order]);
  const previousAttributes = { status: 'issued', order_id: null };
  await tx.emit(tenant, [
    ...eventsOf(order, orderDocument(tenant, order)),
    { type: 'b2b.po.confirmed', object: input.told, previousAttributes },
  ]);
  return (await takeAll(tx, tenant, prepared.origin.wanted)) ?? {};
};

/** What was sent before by parcels of its own is not sent again. */
export const shipAgreed = async (
  tx: Transaction,
  tenant: Tenant,
  { purchase_order_id, order_id, command_id: command, told, ...sent }: ShipAgreedOrderRequest,
): Promise<ShipAgreedOrderResponse | Refusal> => {
  const order = await holdOrder(tx.sql, tenant, order_id);
  if (order === null) return notFound('order', 'order_id');
  if (order.order_status === 'cancelled') return CANCELLED;
  if (!(await fulfilPurchaseOrder(tx, tenant, { id: purchase_order_id, order: order_id, command }))) return MOVED;
  if (openParcel(order).items.length > 0) {
    const input = { id: order_id, ...sent };
    const parcel = parcelOf(order, input);
    if (parcel instanceof Refusal) return parcel;
    await recordShipment(tx, tenant, order, input, parcel, null);
  }
  await tx.emit(tenant, [{ type: 'b2b.po.fulfilled', object: told, previousAttributes: { status: 'confirmed' } }]);
  return {};
};
