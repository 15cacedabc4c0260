// Where an order comes from: items in the body, a cart, a quote or a checkout intent, all read as one thing.

import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AddressInput, AgentName } from '#proto/gen/shared.ts';
import type { Wanted } from './basket.ts';
import type { BoughtCart, ChosenRate } from './order.ts';

/** How the goods reach the buyer, and what that costs. */
export interface ChosenDelivery {
  readonly optionId: string | null;
  readonly name: string | null;
  /** Major units, before free shipping. */
  readonly fee: number;
  readonly rate: ChosenRate | null;
  readonly carrier: string | null;
}

export interface OrderOrigin {
  readonly kind: 'items' | 'cart' | 'quote' | 'intent' | 'purchase_order' | 'group';
  /** The cart's key, or the id of the quote, the intent, the purchase order or the checkout group. */
  readonly id: string | null;
  readonly wanted: readonly Wanted[];
  readonly codes: readonly string[];
  readonly giftCards: readonly string[];
  readonly customer: string | null;
  readonly email: string | null;
  readonly shippingAddress: AddressInput | null;
  readonly shippingOption: string | null;
  /** What the buyer told the store before. */
  readonly note: string | null;
  /** The assistant that completes a checkout intent; null: no assistant. */
  readonly agent: AgentName | null;
  /** The cart's or the intent's version that was bought. */
  readonly version: number;
  /** What was bought of a cart, so that it leaves; null of any other. */
  readonly cart: BoughtCart | null;
  /** What is decided with the order, so that no other one is placed from the same; null: nothing but its attempt. */
  readonly decision: string | null;
  /** The hold that stands already, an intent's, which ends with it; null: the order takes its own. */
  readonly hold: string | null;
  /** Prices that were promised; null: those of the moment. */
  readonly frozen: { readonly priced: PriceBasketResponse; readonly delivery: ChosenDelivery | null } | null;
}

export const NO_ORIGIN: OrderOrigin = {
  kind: 'items',
  id: null,
  wanted: [],
  codes: [],
  giftCards: [],
  customer: null,
  email: null,
  shippingAddress: null,
  shippingOption: null,
  note: null,
  agent: null,
  version: 0,
  cart: null,
  decision: null,
  hold: null,
  frozen: null,
};
