// A wishlist: its state, the facts that make it, the commands it takes. Nothing here asks what a thing costs now.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import { derivedId } from './derived_id.ts';

export interface WishlistEntry {
  readonly id: string;
  readonly product_id: string;
  /** Null: the product as a whole. */
  readonly variant_id: string | null;
  /** As it was called and sold when it was added; minor units. */
  readonly name: string;
  readonly price: number | null;
  readonly currency: string;
  /** Ms of the tenant's clock. */
  readonly addedAt: number;
}

export interface WishlistState {
  /** Newest first. */
  readonly wishes: readonly WishlistEntry[];
}

export type WishlistFact =
  | { readonly type: 'Kept'; readonly wish: WishlistEntry }
  | { readonly type: 'Dropped'; readonly item_id: string };

export type WishlistCommand =
  | { readonly type: 'Read' }
  /** `wish` is null where the catalogue shows none; `param` is the field that named it. */
  | {
      readonly type: 'Keep';
      readonly wish: Omit<WishlistEntry, 'id' | 'addedAt'> | null;
      readonly param: 'variant_id' | 'product_id';
    }
  | { readonly type: 'Drop'; readonly item_id: string };

export const WISHES_MAX = 500;

export const NO_WISHLIST: WishlistState = { wishes: [] };

export const evolveWishlist = ({ wishes }: WishlistState, fact: WishlistFact): WishlistState =>
  fact.type === 'Kept'
    ? { wishes: [fact.wish, ...wishes] }
    : { wishes: wishes.filter(({ id }) => id !== fact.item_id) };

const after = (state: WishlistState, facts: readonly WishlistFact[]): Decision<WishlistFact, WishlistState> => ({
  facts,
  answer: facts.reduce(evolveWishlist, state),
});

export const decideWishlist = (
  state: WishlistState,
  command: WishlistCommand,
  { commandId, now }: Context,
): Decision<WishlistFact, WishlistState> | Refusal => {
  switch (command.type) {
    case 'Read':
      return after(state, []);
    case 'Drop':
      if (!state.wishes.some(({ id }) => id === command.item_id)) return notFound('item', 'item_id');
      return after(state, [{ type: 'Dropped', item_id: command.item_id }]);
    case 'Keep': {
      const { wish, param } = command;
      if (wish === null) return notFound(param === 'product_id' ? 'product' : 'variant', param);
      const same = ({ product_id, variant_id }: WishlistEntry): boolean =>
        product_id === wish.product_id && variant_id === wish.variant_id;
      if (state.wishes.some(same)) return after(state, []);
      if (state.wishes.length >= WISHES_MAX) return refuse('conflict', `A wishlist holds at most ${WISHES_MAX} items.`);
      const id = derivedId('wish', commandId, wish.product_id, wish.variant_id ?? '');
      return after(state, [{ type: 'Kept', wish: { ...wish, id, addedAt: now } }]);
    }
  }
};
