// The state of a wishlist, its facts and its commands. Entries show the price at which they were added.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import { derivedId } from './derived_id.ts';

export interface WishlistEntry {
  readonly id: string;
  readonly product_id: string;
  readonly variant_id: string | null;
  /** Name and price when the entry was added; the price is in minor units. */
  readonly name: string;
  readonly price: number | null;
  readonly currency: string;
  readonly addedAt: number;
}

export interface WishlistState {
  readonly entries: readonly WishlistEntry[];
}

export type WishlistFact =
  | { readonly type: 'Added'; readonly entry: WishlistEntry }
  | { readonly type: 'Removed'; readonly item_id: string }
  | { readonly type: 'Forgotten' };

export type WishlistCommand =
  | { readonly type: 'Read' }
  /** `entry` is null if the catalogue has none. `param` is the body's field that named the variant or product. */
  | {
      readonly type: 'Add';
      readonly entry: Omit<WishlistEntry, 'id' | 'addedAt'> | null;
      readonly param: 'variant_id' | 'product_id';
    }
  | { readonly type: 'Remove'; readonly item_id: string }
  | { readonly type: 'Forget' };

export const ENTRIES_MAX = 500;

export const NO_WISHLIST: WishlistState = { entries: [] };

export const evolveWishlist = ({ entries }: WishlistState, fact: WishlistFact): WishlistState => {
  switch (fact.type) {
    case 'Added':
      return { entries: [fact.entry, ...entries] };
    case 'Removed':
      return { entries: entries.filter(({ id }) => id !== fact.item_id) };
    case 'Forgotten':
      return NO_WISHLIST;
  }
};

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
    case 'Forget':
      return after(state, state.entries.length === 0 ? [] : [{ type: 'Forgotten' }]);
    case 'Remove':
      if (!state.entries.some(({ id }) => id === command.item_id)) return notFound('item', 'item_id');
      return after(state, [{ type: 'Removed', item_id: command.item_id }]);
    case 'Add': {
      const { entry, param } = command;
      if (entry === null) return notFound(param === 'product_id' ? 'product' : 'variant', param);
      const same = ({ product_id, variant_id }: WishlistEntry): boolean =>
        product_id === entry.product_id && variant_id === entry.variant_id;
      if (state.entries.some(same)) return after(state, []);
      if (state.entries.length >= ENTRIES_MAX)
        return refuse('conflict', `A wishlist holds at most ${ENTRIES_MAX} items. Remove one first.`);
      const id = derivedId('wish', commandId, entry.product_id, entry.variant_id ?? '');
      return after(state, [{ type: 'Added', entry: { ...entry, id, addedAt: now } }]);
    }
  }
};
