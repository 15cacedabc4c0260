// Generated from stoa/v1/agent_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CartDraftResponse, CheckoutIntentResponse, CreateCartDraftRequest, CreateCheckoutIntentRequest, GetCartDraftRequest, UpdateCartDraftRequest, UpdateCheckoutIntentRequest } from './agent.ts';
import type { PriceBasketResponse } from './pricing_directory.ts';
import type { Address, AddressInput, AgentNameInput } from './shared.ts';

/** @internal */
export type BeginCheckoutRequest = {
  checkout: CreateCheckoutIntentRequest;
  agent: AgentNameInput;
};

/** @internal */
export type BeginCartRequest = {
  cart: CreateCartDraftRequest;
  agent: AgentNameInput;
};

/** @internal */
export type OfferRequest = {
  id: string;
  /** Fields of the order, which complete the intent. */
  email?: string | null;
  shipping_address?: AddressInput | null;
  /** The buyer agreed to what the intent shows: no way of delivery is chosen for them that costs more. */
  as_shown?: boolean;
};

/** @internal */
export type FrozenOffer = {
  priced: PriceBasketResponse;
  email: string | null;
  shipping_address: Address | null;
  shipping_option_id: string | null;
  shipping_option_name: string | null;
  /** Before free shipping. */
  shipping_fee: number;
  /** The hold that stands already; null: the order takes its own. */
  hold_id: string | null;
  /** How often it was changed before: the order takes this very one. */
  version: number;
  /** From the buyer to the store. */
  note: string | null;
  billing_address: Address | null;
  /** The buyer's; absent in an offer of a host of the release before. */
  language?: string | null;
};

/** @internal */
export type IntentsOfHoldsRequest = {
  hold_ids: readonly string[];
};

/** @internal */
export type HoldingIntent = {
  hold_id: string;
  checkout_intent_id: string;
  order_id: string | null;
  agent: string | null;
  created_at: string;
};

/** @internal */
export type IntentsOfHoldsResponse = {
  intents: readonly HoldingIntent[];
};

/**
 * Checkout intents and cart drafts of shopping assistants. Each is created under its agent's name, and promotion codes
 * that do not apply are reported instead of refused. The rpcs of `Agent` read and cancel them like any other.
 * @internal
 */
export interface AgentSessionRpcs {
  BeginCheckout: { request: BeginCheckoutRequest; response: CheckoutIntentResponse };
  ChangeCheckout: { request: UpdateCheckoutIntentRequest; response: CheckoutIntentResponse };
  BeginCart: { request: BeginCartRequest; response: CartDraftResponse };
  ChangeCart: { request: UpdateCartDraftRequest; response: CartDraftResponse };
  CancelCart: { request: GetCartDraftRequest; response: CartDraftResponse };
}

/**
 * Quotes and intents, as orders read them.
 * @internal
 */
export interface AgentDirectoryRpcs {
  OfferOfQuote: { request: OfferRequest; response: FrozenOffer };
  OfferOfIntent: { request: OfferRequest; response: FrozenOffer };
  IntentsOfHolds: { request: IntentsOfHoldsRequest; response: IntentsOfHoldsResponse };
}
