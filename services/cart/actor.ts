// The actor kinds of carts and wishlists, as the actor host runs them.
import type { ActorKind } from '#runtime/actor/kind.ts';
import {
  auditedCart,
  type CartAnswer,
  type CartCommand,
  type CartFact,
  type CartState,
  cartDueAt,
  evolveCart,
  NO_CART,
} from './cart.ts';
import { decideCart } from './cart_decision.ts';
import { cartEvents } from './cart_document.ts';
import {
  decideWishlist,
  evolveWishlist,
  NO_WISHLIST,
  type WishlistCommand,
  type WishlistFact,
  type WishlistState,
} from './wishlist.ts';

export const CART: ActorKind<CartState, CartCommand, CartFact, CartAnswer> = {
  name: 'cart',
  initial: NO_CART,
  decide: decideCart,
  evolve: evolveCart,
  dueAt: cartDueAt,
  due: { type: 'Due' },
  isDisposable: ({ id }) => id === '',
  audited: auditedCart,
  announce: cartEvents,
};

export const WISHLIST: ActorKind<WishlistState, WishlistCommand, WishlistFact, WishlistState> = {
  name: 'wishlist',
  initial: NO_WISHLIST,
  decide: decideWishlist,
  evolve: evolveWishlist,
  dueAt: () => null,
  due: { type: 'Read' },
  isDisposable: ({ entries }) => entries.length === 0,
};
