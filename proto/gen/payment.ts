// Generated from stoa/v1/payment.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ConnectPaymentProviderRequest, DisconnectPaymentProviderRequest, ListPaymentProvidersRequest, ListPaymentProvidersResponse, PaymentElement, PaymentProviderResponse, ReceiveCallbackRequest, ReceiveCallbackResponse } from './payment_provider.ts';
import type { SettleSimulatedRequest } from './payment_simulator.ts';
import type { Deleted, Pagination } from './shared.ts';

/** A way to pay. */
export type PaymentMethod = {
  /** The value of `provider` in requests. */
  provider: string;
  name: string;
  /** Whether the shopper is sent to a page, or asked on their phone. */
  type: "redirect" | "push";
  /** Added by the merchant. */
  custom_provider: boolean;
  /** ISO 4217; empty: any. */
  currencies: readonly string[];
  /** ISO 3166-1 alpha-2; empty: any. */
  countries: readonly string[];
  environment: "production" | "sandbox";
  /**
   * Library that shows the card fields on the shop's own page, for `presentation: "element"`; null where the method has
   * none.
   */
  element: "stripe" | "simulator" | null;
};

export type ListMethodsRequest = {
  /** Comma-separated names of a method's fields to return. */
  fields?: string;
};

export type ListMethodsResponse = {
  methods: readonly PaymentMethod[];
};

export type InitializePaymentRequest = {
  /** `card_checkout`, `wallet`, `bank_africa`, `mobile_money`, or one that the merchant added. */
  provider: string;
  /** Major units. */
  amount: number;
  /**
   * ISO 4217. Card checkout and wallet take the order's where it is left out, without an order the store's; bank-africa
   * needs one; mobile money is always KES and ignores it. If the method lists `currencies`, it is one of them.
   */
  currency?: string | null;
  /** Required for card checkout and bank-africa. */
  email?: string | null;
  /** Required for mobile money: 254 and nine digits. */
  phone?: string | null;
  /** Used by providers of the merchant's own. */
  country?: string | null;
  /** The order that it pays. */
  order_id?: string | null;
  metadata?: Record<string, string>;
  /** Card checkout only. */
  success_url?: string | null;
  /** Card checkout only. */
  cancel_url?: string | null;
  /** Bank-africa only. */
  callback_url?: string | null;
  /**
   * `manual` only authorises the payment: the amount is reserved until it is captured, voided or lapses. `card_checkout`
   * and `wallet` offer it.
   */
  capture?: "automatic" | "manual";
  /** `element` shows the card fields on the shop's own page; methods with an `element` offer it. */
  presentation?: "redirect" | "element";
};

export type InitializePaymentResponse = {
  success: boolean;
  provider: string;
  /** `element`: the shopper pays on the shop's own page. */
  type: "redirect" | "push" | "element";
  /** Reference by which the payment is verified. */
  reference: string;
  /** URL on which the shopper pays; null when they are asked on their phone, or pay on the shop's page. */
  checkout_url: string | null;
  /** The provider's own name of it. */
  session_id: string;
  environment: "production" | "sandbox";
  expires_at: string;
  /** Null unless `presentation` is `element`. */
  element: PaymentElement | null;
};

export type VerifyPaymentRequest = {
  provider: string;
  /** The reference that initialize answered, or the provider's `session_id`. */
  reference: string;
};

/** The present state of a payment. */
export type PaymentState = {
  /** Whether it succeeded. */
  success: boolean;
  provider: string;
  reference: string;
  status: "pending" | "authorized" | "succeeded" | "failed" | "expired" | "voided" | "refunded";
  amount: number;
  currency: string;
  paid_at: string | null;
  order_id: string | null;
  environment: "production" | "sandbox";
  /**
   * Whether a person is to look at it: what its provider told does not add up, or its order was paid or
   * cancelled before and the money is not given back yet.
   */
  needs_review: boolean;
  /** `manual`: the payment is authorised first and captured later. */
  capture: "automatic" | "manual";
  /**
   * Amount that was authorised; `amount` is the captured part of it once the payment succeeded. Null of a payment that
   * was never authorised.
   */
  amount_authorized: number | null;
  authorized_at: string | null;
  /** When the authorisation lapses; null unless the payment is `authorized`. */
  capture_before: string | null;
  /** The capture or void that the provider has not confirmed yet. */
  in_progress: "capture" | "void" | null;
};

export type CapturePaymentRequest = {
  reference: string;
  /** Major units, up to the amount authorised; the whole of it unless said. */
  amount?: number | null;
};

export type VoidPaymentRequest = {
  reference: string;
};

export type ListPaymentsRequest = {
  /** True: only payments that a person must check; false: only the others. */
  needs_review?: boolean | null;
  status?: "pending" | "authorized" | "succeeded" | "failed" | "expired" | "voided" | "refunded";
  order_id?: string;
  /** Page size, 20 unless said. */
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a payment's fields to return. */
  fields?: string;
};

/** A payment in a list. */
export type ListedPayment = {
  id: string;
  /** Whether it succeeded. */
  success: boolean;
  provider: string;
  reference: string;
  status: "pending" | "authorized" | "succeeded" | "failed" | "expired" | "voided" | "refunded";
  amount: number;
  amount_refunded: number;
  currency: string;
  order_id: string | null;
  needs_review: boolean;
  /** Why it failed; null where it did not. */
  failure: string | null;
  metadata: Record<string, string>;
  environment: "production" | "sandbox";
  paid_at: string | null;
  created_at: string;
  /** `manual`: the payment is authorised first and captured later. */
  capture: "automatic" | "manual";
  /** Amount that was authorised; null of a payment that was never authorised. */
  amount_authorized: number | null;
  authorized_at: string | null;
  /** When the authorisation lapses; null unless the payment is `authorized`. */
  capture_before: string | null;
  /** The capture or void that the provider has not confirmed yet. */
  in_progress: "capture" | "void" | null;
};

export type ListPaymentsResponse = {
  payments: readonly ListedPayment[];
  pagination: Pagination;
};

/**
 * Payments and their providers.
 * @internal
 */
export interface PaymentRpcs {
  ListMethods: { request: ListMethodsRequest; response: ListMethodsResponse };
  InitializePayment: { request: InitializePaymentRequest; response: InitializePaymentResponse };
  VerifyPayment: { request: VerifyPaymentRequest; response: PaymentState };
  CapturePayment: { request: CapturePaymentRequest; response: PaymentState };
  VoidPayment: { request: VoidPaymentRequest; response: PaymentState };
  ListPayments: { request: ListPaymentsRequest; response: ListPaymentsResponse };
  ListPaymentProviders: { request: ListPaymentProvidersRequest; response: ListPaymentProvidersResponse };
  ConnectPaymentProvider: { request: ConnectPaymentProviderRequest; response: PaymentProviderResponse };
  DisconnectPaymentProvider: { request: DisconnectPaymentProviderRequest; response: Deleted };
  ReceiveCallback: { request: ReceiveCallbackRequest; response: ReceiveCallbackResponse };
  SettleSimulated: { request: SettleSimulatedRequest; response: PaymentState };
}
