// The rpc handlers of purchase orders. Transitions that also change an order run in that order's transaction.
import { randomUUIDv7 } from 'bun';
import type { WholesaleRpcs } from '#proto/gen/b2b.ts';
import type {
  ConfirmPurchaseOrderRequest,
  CreatePurchaseOrderRequest,
  FulfillPurchaseOrderRequest,
  PurchaseOrderResponse,
} from '#proto/gen/purchase_order.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { taxOf } from '#services/b2b/agreement.ts';
import type { WholesaleClients } from '#services/b2b/client.ts';
import { listPage } from '#services/b2b/page.ts';
import {
  issuePurchaseOrder,
  type PurchaseOrderInput,
  type PurchaseOrderRecord,
  purchaseOrderDocument,
  transitionRefusal,
  wasDoneBy,
} from '#services/b2b/purchase_order.ts';
import {
  findPurchaseOrder,
  insertPurchaseOrder,
  listPurchaseOrders,
  lockPurchaseOrder,
  setPurchaseOrderStatus,
} from '#services/b2b/table/purchase_order.ts';
import { findQuote, lockQuote } from '#services/b2b/table/quote.ts';
import { badAddress, unsendable } from '#services/commerce/address.ts';
import { typedName } from '#values/text.ts';

type PurchaseOrderRpc =
  | 'CreatePurchaseOrder'
  | 'ListPurchaseOrders'
  | 'GetPurchaseOrder'
  | 'ConfirmPurchaseOrder'
  | 'FulfillPurchaseOrder'
  | 'CancelPurchaseOrder';

const DUPLICATE: Readonly<Record<'quote_id' | 'po_number', Refusal>> = {
  quote_id: refuse('conflict', 'Another purchase order already uses this quote.', { param: 'quote_id' }),
  po_number: refuse('conflict', 'Another of your purchase orders already has this number.', { param: 'po_number' }),
};
const NOT_ACCEPTED = refuse('conflict', 'The quote is not accepted. Accept it before issuing a purchase order.', {
  param: 'quote_id',
});

/** Returns the document after the transition; the order's transaction publishes it. */
const documentText = (order: PurchaseOrderRecord): string => JSON.stringify(purchaseOrderDocument(order));

/** Turns `not_found` into `conflict`: the path names the purchase order, which exists, and not the missing variant. */
const withoutNotFound = (refusal: Refusal): Refusal =>
  refusal.code === 'not_found'
    ? refuse('conflict', 'An item of the purchase order is no longer sold.', refusal.extra)
    : refusal;

export const purchaseOrderHandlers = (
  { clock, postgres }: Pick<Runtime, 'clock' | 'postgres'>,
  clients: WholesaleClients,
): Pick<Handlers<WholesaleRpcs>, PurchaseOrderRpc> => {
  const currentDocument = async ({ sql }: Transaction, { tenant }: Call, { id }: { readonly id: string }) => {
    const order = await findPurchaseOrder(sql, tenant, null, id);
    return order === null ? notFound('purchase order') : { data: purchaseOrderDocument(order) };
  };

  return {
    CreatePurchaseOrder: staged<CreatePurchaseOrderRequest, PurchaseOrderResponse, PurchaseOrderInput>({
      prepare: async (call, input) => {
        const { shipping_address, billing_address = null, po_number } = input;
        const addressRefusal = unsendable(shipping_address) ?? badAddress(billing_address, 'billing_address');
        if (addressRefusal) return addressRefusal;
        const quote = await findQuote(postgres.sql, call.tenant, call.customer, input.quote_id);
        if (quote === null) return notFound('quote', 'quote_id');
        const buyer = await clients.customer(call, quote.customer_id);
        if (buyer instanceof Refusal) return buyer;
        const name = [buyer.first_name, buyer.last_name].filter(Boolean).join(' ');
        return {
          po_number: typedName(po_number),
          shipping_address,
          billing_address,
          email: buyer.email,
          buyer_name: name || null,
        };
      },
      run: async (tx, { tenant, customer }, { quote_id }, issue) => {
        const quote = await lockQuote(tx.sql, tenant, customer, quote_id);
        if (quote === null) return notFound('quote', 'quote_id');
        if (quote.status !== 'accepted') return NOT_ACCEPTED;
        const order = issuePurchaseOrder(quote, issue, tx.clock.now(tenant));
        const taken = await insertPurchaseOrder(tx.sql, tenant, order);
        if (taken !== null) return DUPLICATE[taken];
        const object = purchaseOrderDocument(order);
        await tx.emit(tenant, [{ type: 'b2b.po.issued', object }]);
        return { data: object };
      },
      undo: () => {},
    }),

    ListPurchaseOrders: query((sql, call, input) =>
      listPage(
        'purchase orders',
        call,
        input,
        (...wanted) => listPurchaseOrders(sql, call.tenant, ...wanted),
        purchaseOrderDocument,
      ),
    ),

    GetPurchaseOrder: query(async (sql, { tenant, customer }, { id }) => {
      const order = await findPurchaseOrder(sql, tenant, customer, id);
      return order === null ? notFound('purchase order') : { data: purchaseOrderDocument(order) };
    }),

    ConfirmPurchaseOrder: staged<ConfirmPurchaseOrderRequest, PurchaseOrderResponse, object>({
      prepare: async (call, { id }) => {
        const command = commandIdOf(call);
        const order = await findPurchaseOrder(postgres.sql, call.tenant, null, id);
        if (order === null) return notFound('purchase order');
        if (wasDoneBy(order.confirmed_by, order.confirmed_at, command, clock.now(call.tenant))) return {};
        const refusal = transitionRefusal(order, 'confirm');
        if (refusal) return refusal;
        const order_id = randomUUIDv7();
        const placed = await clients.placeOrder(call, {
          command_id: command,
          purchase_order_id: order.id,
          order_id,
          document: documentText({ ...order, status: 'confirmed', order_id }),
          customer_id: order.customer_id,
          email: order.email,
          currency: order.currency,
          tax_inclusive: order.tax_inclusive,
          lines: order.items.map((line) => ({
            variant_id: line.variant_id,
            quantity: line.quantity,
            unit_price: line.unit_price,
            tax_amount: taxOf(line),
          })),
          shipping_address: order.shipping_address,
          billing_address: order.billing_address,
        });
        return placed === null ? {} : withoutNotFound(placed);
      },
      run: (tx, call, input) => currentDocument(tx, call, input),
      undo: () => {},
    }),

    FulfillPurchaseOrder: staged<FulfillPurchaseOrderRequest, PurchaseOrderResponse, object>({
      prepare: async (call, { id, carrier, tracking_number, tracking_url }) => {
        const command = commandIdOf(call);
        const order = await findPurchaseOrder(postgres.sql, call.tenant, null, id);
        if (order === null) return notFound('purchase order');
        if (wasDoneBy(order.fulfilled_by, order.fulfilled_at, command, clock.now(call.tenant))) return {};
        const refusal = transitionRefusal(order, 'fulfill');
        if (refusal) return refusal;
        const shipped = await clients.shipOrder(call, {
          command_id: command,
          purchase_order_id: order.id,
          order_id: order.order_id!,
          document: documentText({ ...order, status: 'fulfilled' }),
          carrier: carrier ?? null,
          tracking_number: tracking_number ?? null,
          tracking_url: tracking_url ?? null,
        });
        return shipped ?? {};
      },
      run: (tx, call, input) => currentDocument(tx, call, input),
      undo: () => {},
    }),

    CancelPurchaseOrder: transaction(async ({ sql }, { tenant, customer }, { id }) => {
      const order = await lockPurchaseOrder(sql, tenant, customer, id);
      if (order === null) return notFound('purchase order');
      const refusal = transitionRefusal(order, 'cancel');
      if (refusal) return refusal;
      await setPurchaseOrderStatus(sql, tenant, order.id, 'cancelled');
      return { data: purchaseOrderDocument({ ...order, status: 'cancelled' }) };
    }),
  };
};
