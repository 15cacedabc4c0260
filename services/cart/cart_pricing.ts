// How a cart is priced: in which currency, at which rate, and whether the store can sell in it now.
import type { Refusal } from '#runtime/call/call.ts';
import type { Conversion } from '#values/exchange.ts';
import type { CartSettings } from './cart.ts';

export interface CartPricing {
  /** The settings that the actor needs. */
  readonly settings: CartSettings;
  /** Conversion from the store's currency; null if the cart is in it. */
  readonly exchange: Conversion | null;
  /** Why the store cannot sell in the cart's currency now; null if it can. */
  readonly obstacle: Refusal | null;
}
