// Generated from stoa/v1/agent.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { OrderItemRequest } from './order.ts';
import type { Address, AddressInput, AgentName, AppliedPromotion, Pagination } from './shared.ts';
import type { ShippingChoice } from './shipping.ts';

export type CreateQuoteRequest = {
  items: readonly OrderItemRequest[];
  promotion_codes?: readonly string[];
  shipping_address?: AddressInput | null;
  latitude?: number | null;
  longitude?: number | null;
  shipping_option_id?: string | null;
  /** One of the store's `currencies`, or its own, which it is unless said. */
  currency?: string | null;
};

export type GetQuoteRequest = {
  id: string;
  fields?: string;
};

/** The buyer's name and telephone, beside their e-mail address. */
export type AgentBuyer = {
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
};

/** The buyer's name and telephone, beside their e-mail address. */
export type AgentBuyerInput = {
  first_name?: string | null;
  last_name?: string | null;
  phone?: string | null;
};

export type QuoteLine = {
  id: string;
  variant_id: string;
  name: string;
  quantity: number;
  unit_price: number;
  discount: number;
  tax_amount: number;
  total: number;
};

export type Quote = {
  id: string;
  status: "open" | "used" | "expired";
  currency: string;
  lines: readonly QuoteLine[];
  subtotal: number;
  discount_total: number;
  shipping_total: number;
  shipping_tax: number;
  tax_total: number;
  grand_total: number;
  expires_at: string;
  created_at: string;
};

export type QuoteResponse = {
  data: Quote;
};

export type CreateCartDraftRequest = {
  items: readonly OrderItemRequest[];
  email?: string | null;
  shipping_address?: AddressInput | null;
  promotion_codes?: readonly string[];
  buyer?: AgentBuyerInput | null;
  billing_address?: AddressInput | null;
};

export type GetCartDraftRequest = {
  id: string;
  fields?: string;
};

export type UpdateCartDraftRequest = {
  id: string;
  items?: readonly OrderItemRequest[];
  email?: string | null;
  shipping_address?: AddressInput | null;
  promotion_codes?: readonly string[];
  buyer?: AgentBuyerInput | null;
  billing_address?: AddressInput | null;
};

export type DraftItem = {
  variant_id: string;
  name: string;
  quantity: number;
  unit_price: number;
  subtotal: number;
  discount: number;
  total: number;
  product_id: string;
  variant_name: string | null;
  sku: string | null;
  thumbnail_url: string | null;
};

/** A code that was asked for and does not apply. */
export type UnusedCode = {
  code: string;
  /** For people. */
  reason: string;
  /** Whether its promotion has ended. */
  expired: boolean;
  /** For programs: unknown, inactive, expired, used_up, used_by_customer, minimum_not_met, not_applicable, not_combinable. */
  cause: string | null;
};

export type CartDraft = {
  id: string;
  status: "open" | "converted" | "cancelled" | "expired";
  items: readonly DraftItem[];
  email: string | null;
  shipping_address: Address | null;
  promotion_codes: readonly string[];
  currency: string;
  subtotal: number;
  discount_total: number;
  total: number;
  expires_at: string;
  created_at: string;
  buyer: AgentBuyer | null;
  applied_promotions: readonly AppliedPromotion[];
  /** The assistant that created it; null when none did. */
  agent: AgentName | null;
  /** Codes that an assistant sent in vain: to its carts they are no error. */
  rejected_codes: readonly UnusedCode[];
  billing_address: Address | null;
};

export type CartDraftResponse = {
  data: CartDraft;
};

export type CreateCheckoutIntentRequest = {
  items?: readonly OrderItemRequest[];
  quote_id?: string | null;
  cart_draft_id?: string | null;
  email?: string | null;
  shipping_address?: AddressInput | null;
  latitude?: number | null;
  longitude?: number | null;
  shipping_option_id?: string | null;
  promotion_codes?: readonly string[];
  buyer?: AgentBuyerInput | null;
  /** From the buyer; stands on the order. */
  note?: string | null;
  billing_address?: AddressInput | null;
  /** One of the store's `currencies`, or its own, which it is unless said. The intent keeps it. */
  currency?: string | null;
  /** BCP 47 tag of the language of mails about the order. */
  language?: string | null;
};

export type GetCheckoutIntentRequest = {
  id: string;
  fields?: string;
};

export type ListCheckoutIntentsRequest = {
  /** Page size, 20 unless said. */
  limit?: number;
  cursor?: string;
  /** Comma-separated names of an intent's fields to return. */
  fields?: string;
};

export type IntentLine = {
  id: string;
  variant_id: string;
  name: string;
  quantity: number;
  unit_price: number;
  discount: number;
  tax_amount: number;
  total: number;
  subtotal: number;
  product_id: string | null;
  variant_name: string | null;
  sku: string | null;
  thumbnail_url: string | null;
};

export type IntentRequirement = {
  code: "missing_address" | "missing_email" | "missing_shipping_option" | "not_deliverable" | "cancelled" | "expired";
  /** The missing field, or the part of the intent that keeps it from being ready. */
  path: string;
  /** The party that can resolve it: the agent by sending the field, or the buyer by a decision. */
  resolver: "agent" | "buyer" | "nobody";
};

export type IntentHold = {
  status: "held" | "released" | "converted";
  expires_at: string;
};

export type CheckoutIntent = {
  id: string;
  status: "open" | "ready" | "completed" | "cancelled" | "expired";
  grand_total: number;
  currency: string;
  subtotal: number;
  discount_total: number;
  shipping_total: number;
  shipping_tax: number;
  tax_total: number;
  lines: readonly IntentLine[];
  shipping_options: readonly ShippingChoice[];
  shipping_option_id: string | null;
  requirements: readonly IntentRequirement[];
  hold: IntentHold;
  email: string | null;
  shipping_address: Address | null;
  order_id: string | null;
  expires_at: string;
  created_at: string;
  buyer: AgentBuyer | null;
  note: string | null;
  promotion_codes: readonly string[];
  applied_promotions: readonly AppliedPromotion[];
  /** Prices contain their tax. */
  tax_inclusive: boolean;
  /** Whether anything of it is sent or picked up. */
  requires_shipping: boolean;
  /** The assistant that created it; null when none did. */
  agent: AgentName | null;
  /** Codes that an assistant sent in vain: to its checkouts they are no error. */
  rejected_codes: readonly UnusedCode[];
  billing_address: Address | null;
  /** Major units of `currency` for one of the store's currency; null if it is in that. */
  exchange_rate: number | null;
  /** The buyer's; null: the store's default one. */
  language: string | null;
};

export type ListCheckoutIntentsResponse = {
  data: readonly CheckoutIntent[];
  pagination: Pagination;
};

export type UpdateCheckoutIntentRequest = {
  id: string;
  email?: string | null;
  shipping_address?: AddressInput | null;
  latitude?: number | null;
  longitude?: number | null;
  shipping_option_id?: string | null;
  promotion_codes?: readonly string[];
  /** All of its lines. A line that stays keeps its price at any quantity. */
  items?: readonly OrderItemRequest[];
  buyer?: AgentBuyerInput | null;
  note?: string | null;
  billing_address?: AddressInput | null;
  /** BCP 47 tag of the language of mails about the order. */
  language?: string | null;
};

export type CancelCheckoutIntentRequest = {
  id: string;
};

export type CheckoutIntentResponse = {
  data: CheckoutIntent;
};

/**
 * Quotes, cart drafts and checkout intents that an agent makes for a shopper.
 * @internal
 */
export interface AgentRpcs {
  CreateQuote: { request: CreateQuoteRequest; response: QuoteResponse };
  GetQuote: { request: GetQuoteRequest; response: QuoteResponse };
  CreateCartDraft: { request: CreateCartDraftRequest; response: CartDraftResponse };
  GetCartDraft: { request: GetCartDraftRequest; response: CartDraftResponse };
  UpdateCartDraft: { request: UpdateCartDraftRequest; response: CartDraftResponse };
  CreateCheckoutIntent: { request: CreateCheckoutIntentRequest; response: CheckoutIntentResponse };
  ListCheckoutIntents: { request: ListCheckoutIntentsRequest; response: ListCheckoutIntentsResponse };
  GetCheckoutIntent: { request: GetCheckoutIntentRequest; response: CheckoutIntentResponse };
  UpdateCheckoutIntent: { request: UpdateCheckoutIntentRequest; response: CheckoutIntentResponse };
  CancelCheckoutIntent: { request: CancelCheckoutIntentRequest; response: CheckoutIntentResponse };
}
