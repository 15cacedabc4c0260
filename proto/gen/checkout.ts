// Generated from stoa/v1/checkout.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { InitializePaymentResponse, ListPaymentsResponse } from './payment.ts';
import type { ConnectPaymentProviderRequest, DisconnectPaymentProviderRequest, ListPaymentProvidersRequest, ListPaymentProvidersResponse, PaymentProviderResponse } from './payment_provider.ts';
import type { AddressInput, Deleted, Pagination } from './shared.ts';

export type ListCheckoutPaymentsRequest = {
  group_id: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a payment's fields to return. */
  fields?: string;
};

export type PayCheckoutRequest = {
  group_id: string;
  /** `card_checkout`, `wallet`, `bank_africa`, `mobile_money`, or one that the operator added. */
  provider: string;
  /** The group's where it is left out. */
  email?: string | null;
  /** Required for mobile money: 254 and nine digits. */
  phone?: string | null;
  /** URL that the shopper returns to. */
  success_url?: string | null;
  cancel_url?: string | null;
  /** A payment over several merchants is captured at once. */
  capture?: "automatic";
  /** A payment over several merchants takes place on the provider's page. */
  presentation?: "redirect";
};

export type CheckoutLine = {
  /** A merchant of the operator's. */
  store_id: string;
  variant_id: string;
  quantity: number;
};

export type PlaceCheckoutRequest = {
  /** Up to 20 merchants. A variant named twice is one line. */
  lines: readonly CheckoutLine[];
  email: string;
  shipping_address: AddressInput;
  /** The shipping address where it is left out. */
  billing_address?: AddressInput | null;
  /** Shipping option by merchant, one of its shipping calculation; `place` when a merchant is left out. */
  shipping_option_ids?: Record<string, string>;
  /** One that applies at no merchant: 400 `promotion_not_applicable`. */
  promotion_codes?: readonly string[];
  /** On each order. */
  note?: string | null;
  /**
   * An access token of any of the operator's merchants: orders are then the shopper's at each merchant where they have an
   * account, by the address that they proved. Without it orders are a guest's.
   */
  customer_token?: string;
};

export type ListCheckoutsRequest = {
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type CheckoutOrder = {
  store_id: string;
  order_id: string;
  order_number: string;
  total: number;
  /** Amount still to be paid. */
  amount_due: number;
  order_status: "pending" | "confirmed" | "processing" | "shipped" | "delivered" | "cancelled";
  payment_status: "pending" | "authorized" | "paid" | "partially_refunded" | "refunded" | "failed" | "voided";
};

export type CheckoutGroup = {
  group_id: string;
  /** `paid` once nothing is left to pay of any of its orders. */
  status: "pending" | "paid";
  email: string;
  currency: string;
  /** Sum over all its orders. */
  total: number;
  /** Amount still to be paid of all its orders. */
  amount_due: number;
  /** One a merchant, in the order in which the lines named them. */
  orders: readonly CheckoutOrder[];
  created_at: string;
};

export type ListCheckoutsResponse = {
  checkouts: readonly CheckoutGroup[];
  pagination: Pagination;
};

export type GetCheckoutRequest = {
  group_id: string;
  fields?: string;
};

export type CheckoutResponse = {
  checkout: CheckoutGroup;
};

/** @internal */
export type GetPayableCheckoutRequest = {
  group_id: string;
};

/**
 * Amount still to be paid of one of its orders.
 * @internal
 */
export type PayableShare = {
  store_id: string;
  order_id: string;
  order_number: string;
  /** In minor units. */
  amount_due: number;
  /** Whether a payment may be begun for it. */
  payable: boolean;
  payment_status: string;
  /** Generation of the merchant's sandbox that holds the order; a reset starts the next one. */
  generation: number;
};

/** @internal */
export type GetPayableCheckoutResponse = {
  group_id: string;
  currency: string;
  email: string;
  shares: readonly PayableShare[];
};

/**
 * Checkouts over several merchants, for their operator's key.
 * @internal
 */
export interface CheckoutRpcs {
  PlaceCheckout: { request: PlaceCheckoutRequest; response: CheckoutResponse };
  ListCheckouts: { request: ListCheckoutsRequest; response: ListCheckoutsResponse };
  GetCheckout: { request: GetCheckoutRequest; response: CheckoutResponse };
}

/**
 * Payments of checkouts, through the operator's own accounts.
 * @internal
 */
export interface CheckoutPaymentRpcs {
  PayCheckout: { request: PayCheckoutRequest; response: InitializePaymentResponse };
  ListCheckoutPayments: { request: ListCheckoutPaymentsRequest; response: ListPaymentsResponse };
  ListProviders: { request: ListPaymentProvidersRequest; response: ListPaymentProvidersResponse };
  ConnectProvider: { request: ConnectPaymentProviderRequest; response: PaymentProviderResponse };
  DisconnectProvider: { request: DisconnectPaymentProviderRequest; response: Deleted };
}

/**
 * Checkouts, as payments read them.
 * @internal
 */
export interface CheckoutDirectoryRpcs {
  GetPayableCheckout: { request: GetPayableCheckoutRequest; response: GetPayableCheckoutResponse };
}
