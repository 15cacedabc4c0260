// Generated from stoa/v1/order_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { AgentBuyerInput } from './agent.ts';
import type { OrderResponse } from './order.ts';
import type { AddressInput, AgentNameInput } from './shared.ts';

/** @internal */
export type GetPayableRequest = {
  order_id: string;
};

/**
 * The worth of an order in the store's books. Amounts are in minor units.
 * @internal
 */
export type PayableBooks = {
  currency: string;
  rate: string;
  total: number;
  order_total: number;
};

/** @internal */
export type GetPayableResponse = {
  order_id: string;
  order_number: string;
  currency: string;
  /** In minor units. */
  amount_due: number;
  /** Whether a payment may be started: a cancelled or paid order takes no payment. */
  payable: boolean;
  email: string;
  order_status: string;
  payment_status: string;
  /** Null if the order is in the store's currency. */
  books: PayableBooks | null;
};

/** @internal */
export type SettleOrderRequest = {
  order_id: string;
};

/** @internal */
export type SettleOrderResponse = {
  payment_status: string;
};

/** @internal */
export type NotePaymentRequest = {
  order_id: string;
  status: "pending" | "failed";
};

/** @internal */
export type NoteRefundRequest = {
  order_id: string;
  refund_id: string;
  succeeded: boolean;
};

/** @internal */
export type NoteRefundResponse = {
  status: "pending" | "succeeded" | "failed";
};

/** @internal */
export type FindPurchaseRequest = {
  customer_id: string;
  product_id: string;
  /** One that is looked for by its name. */
  order_id?: string | null;
};

/** @internal */
export type FindPurchaseResponse = {
  /** A paid order of the customer's that was not cancelled holds the product. */
  paid: boolean;
  /** The order named is the customer's and holds the product, paid or not; false where none is named. */
  named: boolean;
};

/** @internal */
export type StoreCustomer = {
  store_id: string;
  customer_id: string;
};

/** @internal */
export type CountOrdersRequest = {
  customers: readonly StoreCustomer[];
};

/** @internal */
export type CountOrdersResponse = {
  orders_count: number;
};

/**
 * Amounts in the currency's smallest unit.
 * @internal
 */
export type AgreedOrderLine = {
  variant_id: string;
  quantity: number;
  unit_price: number;
  tax_amount: number;
};

/** @internal */
export type PlaceAgreedOrderRequest = {
  /** The same at each retry of what confirms. */
  command_id: string;
  purchase_order_id: string;
  /** Id of the new order. */
  order_id: string;
  /** The confirmed purchase order as its event carries it, in JSON. */
  document: string;
  customer_id: string;
  email: string;
  currency: string;
  tax_inclusive: boolean;
  /** Each of another variant. */
  lines: readonly AgreedOrderLine[];
  shipping_address?: AddressInput | null;
  billing_address?: AddressInput | null;
};

/** @internal */
export type PlaceAgreedOrderResponse = Record<never, never>;

/** @internal */
export type ShipAgreedOrderRequest = {
  /** The same at each retry of what fulfils. */
  command_id: string;
  purchase_order_id: string;
  order_id: string;
  /** The fulfilled purchase order as its event carries it, in JSON. */
  document: string;
  carrier?: string | null;
  tracking_number?: string | null;
  tracking_url?: string | null;
};

/** @internal */
export type ShipAgreedOrderResponse = Record<never, never>;

/** @internal */
export type PlaceIntentOrderRequest = {
  checkout_intent_id: string;
  /** Null where the buyer completes it by themselves, on a page of ours. */
  agent?: AgentNameInput | null;
  token?: string | null;
  billing_address?: AddressInput | null;
  /** Instead of what the intent says. */
  note?: string | null;
  /** The due that its sender has seen, in major units; another one is `amount_mismatch`. */
  expected_total?: number | null;
  /** Places the order unpaid: its buyer pays afterwards. An order that is not paid within an hour is cancelled. */
  pay_later?: boolean;
  /** Gift cards, which pay first. Allowed with `pay_later` only, since a token pays the whole amount. */
  gift_card_codes?: readonly string[];
  /** The buyer named by the payment, who replaces the intent's, also on the placed order. */
  email?: string | null;
  buyer?: AgentBuyerInput | null;
};

/**
 * Orders, read and settled by other domains.
 * @internal
 */
export interface OrderDirectoryRpcs {
  GetPayable: { request: GetPayableRequest; response: GetPayableResponse };
  SettleOrder: { request: SettleOrderRequest; response: SettleOrderResponse };
  NotePayment: { request: NotePaymentRequest; response: SettleOrderResponse };
  NoteRefund: { request: NoteRefundRequest; response: NoteRefundResponse };
  FindPurchase: { request: FindPurchaseRequest; response: FindPurchaseResponse };
  CountOrders: { request: CountOrdersRequest; response: CountOrdersResponse };
}

/**
 * Orders of purchase orders, placed and shipped for the b2b domain.
 * @internal
 */
export interface AgreedOrderRpcs {
  PlaceAgreedOrder: { request: PlaceAgreedOrderRequest; response: PlaceAgreedOrderResponse };
  ShipAgreedOrder: { request: ShipAgreedOrderRequest; response: ShipAgreedOrderResponse };
}

/**
 * Completion of checkout intents by assistants.
 * @internal
 */
export interface IntentOrderRpcs {
  PlaceIntentOrder: { request: PlaceIntentOrderRequest; response: OrderResponse };
}
