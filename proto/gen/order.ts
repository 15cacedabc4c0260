// Generated from stoa/v1/order.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Address, AddressInput, AgentName, AppliedPromotion, Pagination } from './shared.ts';

export type OrderLine = {
  id: string;
  product_id: string;
  variant_id: string;
  /** Name at the time of purchase. */
  name: string;
  variant_name: string | null;
  sku: string | null;
  quantity: number;
  quantity_fulfilled: number;
  quantity_returned: number;
  unit_price: number;
  subtotal: number;
  discount: number;
  tax_amount: number;
  total: number;
};

export type Refund = {
  id: string;
  amount: number;
  reason: string | null;
  /** `pending` until the provider has given the money back. */
  status: "pending" | "succeeded" | "failed";
  created_at: string;
};

export type ShippedItem = {
  order_item_id: string;
  quantity: number;
};

export type ShippedItemInput = {
  order_item_id: string;
  quantity: number;
};

export type Shipment = {
  id: string;
  carrier: string | null;
  service: string | null;
  tracking_number: string | null;
  tracking_url: string | null;
  label_url: string | null;
  rate_id: string | null;
  /** Source of the label: `carrier_account` or `custom`. */
  source: string | null;
  fee: number | null;
  items: readonly ShippedItem[];
  created_at: string;
};

/** Amounts of an order in the currency of the store's books, at the rate of the order. */
export type StoreAmounts = {
  currency: string;
  /** Major units of the order's currency for one of `currency`, pinned when the order was placed. */
  exchange_rate: number;
  subtotal: number;
  discount_total: number;
  shipping_total: number;
  shipping_tax: number;
  tax_total: number;
  total_amount: number;
  amount_refunded: number;
};

export type StoreOrder = {
  id: string;
  /** Counts from 1001 in each store and environment. */
  order_number: string;
  store_id: string;
  customer_id: string | null;
  email: string;
  order_status: "pending" | "confirmed" | "processing" | "shipped" | "delivered" | "cancelled";
  payment_status: "pending" | "authorized" | "paid" | "partially_refunded" | "refunded" | "failed" | "voided";
  currency: string;
  items: readonly OrderLine[];
  subtotal: number;
  discount_total: number;
  shipping_total: number;
  shipping_tax: number;
  /** The lines' tax and `shipping_tax`. */
  tax_total: number;
  total_amount: number;
  gift_card_total: number;
  store_credit_total: number;
  amount_paid: number;
  amount_refunded: number;
  /** Amount still to be paid: the total less gift cards, store credit, payments and `amount_released`. */
  amount_due: number;
  shipping_address: Address | null;
  billing_address: Address | null;
  shipping_option_id: string | null;
  shipping_option_name: string | null;
  tracking_number: string | null;
  carrier: string | null;
  tracking_url: string | null;
  applied_promotions: readonly AppliedPromotion[];
  refunds: readonly Refund[];
  shipments: readonly Shipment[];
  note: string | null;
  metadata: Record<string, string>;
  return_window_ends_at: string | null;
  created_at: string;
  updated_at: string;
  /** The checkout over several merchants that it was placed by; null of any other order. */
  checkout_group_id: string | null;
  /** The checkout intent that it was placed from; null of any other order. */
  checkout_intent_id: string | null;
  /** The assistant that completed the checkout; null of an order that was placed here. */
  agent: AgentName | null;
  /** Null until it is delivered. */
  delivered_at: string | null;
  /** Uncaptured rest of an authorised payment. `amount_due` excludes it. */
  amount_released: number;
  /** Language of the shopper, in which mails about the order are written; null: the store's default one. */
  language: string | null;
  /** The same amounts in the store's currency; null if the order is in it. */
  store_amounts: StoreAmounts | null;
};

export type OrderResponse = {
  order: StoreOrder;
};

export type OrderItemRequest = {
  variant_id: string;
  quantity: number;
};

export type CreateOrderRequest = {
  /** Up to 500 lines. A variant named twice is one line. */
  items?: readonly OrderItemRequest[];
  /**
   * Buys the cart of `session_id` or `customer_id` at the prices it shows. A code that the cart lists as rejected is
   * left out.
   */
  cart?: boolean;
  session_id?: string | null;
  checkout_intent_id?: string | null;
  quote_id?: string | null;
  /** One of `customer_id` and `email` is needed. */
  customer_id?: string | null;
  email?: string | null;
  /** Needed where a line is shipped. */
  shipping_address?: AddressInput | null;
  /** The shipping address where it is left out. */
  billing_address?: AddressInput | null;
  /** `place`, `opt:<id>` or `pickup:<id>` of a shipping calculation; `place` where left out. */
  shipping_option_id?: string | null;
  /** A carrier's rate, fetched again before it is charged. */
  shipping_rate_id?: string | null;
  shipping_rate_source?: "carrier_account" | "custom" | null;
  /** One that does not apply: 400 `promotion_not_applicable`. */
  promotion_codes?: readonly string[];
  gift_card_codes?: readonly string[];
  /** The customer's store credit to spend, in major units. */
  store_credit?: number;
  /**
   * One of the store's `currencies`, or its own. Left out: that of the cart, quote or intent, or the store's own. All
   * amounts of the order are in it, `store_credit` too.
   */
  currency?: string | null;
  note?: string | null;
  metadata?: Record<string, string>;
  /** Total that the buyer agreed to, in major units: an order that costs anything else is 400 `amount_mismatch`. */
  expected_total?: number | null;
  /** Language of the shopper as a BCP 47 tag, such as `de`. Mails about the order are in the nearest of the store's languages. */
  language?: string | null;
};

export type UpdateOrderRequest = {
  id: string;
  order_status?: "pending" | "confirmed" | "processing" | "shipped" | "delivered" | "cancelled";
  /** For payments taken elsewhere; `paid` sets `amount_paid`. */
  payment_status?: "paid" | "failed";
  email?: string;
  shipping_address?: AddressInput;
  note?: string | null;
  metadata?: Record<string, string>;
  tracking_number?: string | null;
  carrier?: string | null;
  tracking_url?: string | null;
  /** Changes until the order is paid or cancelled; afterwards 409 `conflict`. */
  billing_address?: AddressInput;
};

export type ListOrdersRequest = {
  customer_id?: string;
  order_status?: "pending" | "confirmed" | "processing" | "shipped" | "delivered" | "cancelled";
  payment_status?: "pending" | "authorized" | "paid" | "partially_refunded" | "refunded" | "failed" | "voided";
  created_after?: string;
  created_before?: string;
  order_number?: string;
  /** Finds orders by their number, by the SKU of a line, and by how the e-mail address begins. */
  search?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListOrdersResponse = {
  orders: readonly StoreOrder[];
  pagination: Pagination;
};

export type GetOrderRequest = {
  id: string;
  fields?: string;
};

export type RefundedItem = {
  order_item_id: string;
  quantity: number;
  /** Whether the pieces can be sold again. */
  restock?: boolean;
};

export type CreateRefundRequest = {
  id: string;
  /** Left out: what the items cost. 0 gives back pieces without money: only with `items`. */
  amount?: number;
  reason?: string | null;
  items?: readonly RefundedItem[];
};

export type RefundedTo = {
  /**
   * `elsewhere`: the merchant was paid outside of any provider, and refunds outside. The part that an expired or
   * disabled gift card paid becomes the customer's store credit, or reopens the card for 90 days if the order has no
   * customer.
   */
  type: "payment" | "elsewhere" | "store_credit" | "gift_card";
  /** The payment, customer or gift card; the order where it is `elsewhere`. */
  id: string;
  amount: number;
  /** True where the customer is deleted: the credit is booked on their account and cannot be spent. */
  closed: boolean;
};

export type RefundResponse = {
  refund: Refund;
  /** Destinations of the refund: the sources of the payment, or their substitutes if one is closed. */
  refunded_to: readonly RefundedTo[];
};

export type CreateShipmentRequest = {
  id: string;
  rate_id?: string | null;
  source?: "carrier_account" | "custom" | null;
  carrier?: string | null;
  tracking_number?: string | null;
  tracking_url?: string | null;
  /** Left out: all that is not yet shipped. */
  items?: readonly ShippedItemInput[];
};

export type ShipmentResponse = {
  shipment: Shipment;
};

/**
 * Orders of a store.
 * @internal
 */
export interface OrderRpcs {
  CreateOrder: { request: CreateOrderRequest; response: OrderResponse };
  UpdateOrder: { request: UpdateOrderRequest; response: OrderResponse };
  ListOrders: { request: ListOrdersRequest; response: ListOrdersResponse };
  GetOrder: { request: GetOrderRequest; response: OrderResponse };
  CreateRefund: { request: CreateRefundRequest; response: RefundResponse };
  CreateShipment: { request: CreateShipmentRequest; response: ShipmentResponse };
}
