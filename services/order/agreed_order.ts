// Agreed orders: orders that confirm a purchase order, at its agreed prices. Placing and shipping one updates the purchase
// order in the same transaction.
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
import type { Transaction } from '#runtime/postgres/database.ts';
import { confirmPurchaseOrder, fulfilPurchaseOrder } from '#services/b2b/transaction.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { lookUpLines, pricedLines } from './basket.ts';
import { orderDocument } from './document.ts';
import { committedOrder, type FollowUps } from './follow_up.ts';
import { NO_ORIGIN } from './origin.ts';
import { allocateStock, newOrder, paidIfNothingDue, placementEvents } from './placement.ts';
import { type PreparationParts, type PreparedOrder, releaseStock } from './preparation.ts';
import { ANSWER_STORED } from './reservation.ts';
import { openParcel, parcelOf, recordShipment } from './shipment.ts';
import { commitAttempts } from './table/decision.ts';
import { insertOrders, lockOrder } from './table/order.ts';

export const agreedOrderHandlers = (
  parts: Pick<PreparationParts, 'clients' | 'numbers' | 'reserveStock'> & { readonly followUps: FollowUps },
): Handlers<AgreedOrderRpcs> => ({
  PlaceAgreedOrder: staged<PlaceAgreedOrderRequest, PlaceAgreedOrderResponse, PreparedOrder>({
    prepare: (call, input) => prepareAgreed(parts, call, input),
    run: async (tx, call, input, prepared) => {
      parts.followUps.completeAfterCommit(tx, call, [committedOrder(input.order_id, prepared)]);
      return placeAgreed(tx, call.tenant, input, prepared);
    },
    ownsPrepared: true,
    undo: (call, prepared) => releaseStock(parts.clients, call, prepared),
  }),

  ShipAgreedOrder: transaction((tx, { tenant }, input) => shipAgreed(tx, tenant, input)),
});

const PURCHASE_ORDER_CHANGED = refuse('conflict', 'Another request changed this purchase order. Fetch it and retry.');
const CANCELLED = refuse('conflict', 'The order of this purchase order is cancelled.');

const agreedPrices = ({ currency: code, tax_inclusive, lines }: PlaceAgreedOrderRequest): PriceBasketResponse => {
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

const prepareAgreed = async (
  { clients, numbers, reserveStock }: Pick<PreparationParts, 'clients' | 'numbers' | 'reserveStock'>,
  call: Call,
  input: PlaceAgreedOrderRequest,
): Promise<PreparedOrder | Refusal> => {
  const requested = input.lines.map(({ variant_id, quantity }, at) => ({
    variant: variant_id,
    quantity,
    param: `items[${at}].variant_id`,
  }));
  const [storeProfile, found] = await Promise.all([clients.storeProfile(call), lookUpLines(clients, call, requested)]);
  if (found instanceof Refusal) return found;
  const number = await numbers.next(call.tenant);
  const reserved = await reserveStock(call, input.command_id, requested);
  if (reserved instanceof Refusal) return reserved;
  const currency = currencyOf(input.currency);
  const priced = agreedPrices(input);
  return {
    ...reserved,
    number,
    origin: { ...NO_ORIGIN, kind: 'purchase_order', id: input.purchase_order_id, requested },
    storeProfile,
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

const placeAgreed = async (
  tx: Transaction,
  tenant: Tenant,
  input: PlaceAgreedOrderRequest,
  prepared: PreparedOrder,
): Promise<PlaceAgreedOrderResponse | Refusal> => {
  const now = tx.clock.now(tenant);
  if ((await commitAttempts(tx.sql, tenant, [prepared.attempt], now)).length > 0) return ANSWER_STORED;
  const { order_id: id, purchase_order_id, command_id: command } = input;
  const order = paidIfNothingDue({ ...newOrder({}, prepared, now), id, order_status: 'confirmed' });
  if (!(await confirmPurchaseOrder(tx, tenant, { id: purchase_order_id, order: id, command })))
    return PURCHASE_ORDER_CHANGED;
  await insertOrders(tx.sql, tenant, [order]);
  const previousAttributes = { status: 'issued', order_id: null };
  await tx.emit(tenant, [
    ...placementEvents(order, orderDocument(tenant, order)),
    { type: 'b2b.po.confirmed', object: input.document, previousAttributes },
  ]);
  return (await allocateStock(tx, tenant, prepared.origin.requested)) ?? {};
};

const shipAgreed = async (
  tx: Transaction,
  tenant: Tenant,
  { purchase_order_id, order_id, command_id: command, document, ...sent }: ShipAgreedOrderRequest,
): Promise<ShipAgreedOrderResponse | Refusal> => {
  const order = await lockOrder(tx.sql, tenant, order_id);
  if (order === null) return notFound('order', 'order_id');
  if (order.order_status === 'cancelled') return CANCELLED;
  if (!(await fulfilPurchaseOrder(tx, tenant, { id: purchase_order_id, order: order_id, command })))
    return PURCHASE_ORDER_CHANGED;
  if (openParcel(order).items.length > 0) {
    const input = { id: order_id, ...sent };
    const parcel = parcelOf(order, input);
    if (parcel instanceof Refusal) return parcel;
    await recordShipment(tx, tenant, order, input, parcel, null);
  }
  await tx.emit(tenant, [{ type: 'b2b.po.fulfilled', object: document, previousAttributes: { status: 'confirmed' } }]);
  return {};
};
