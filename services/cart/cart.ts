// A cart's state, the facts that make it, and the commands it takes. Its lines are written at the price of the moment and
// shown at the price of each answer.
import type { Context } from '#runtime/actor/kind.ts';
import { derivedId } from './derived_id.ts';
import type { OfferedCard, SealedCard } from './gift_card.ts';
import { type CartLine, type LineOffer, replaced } from './line.ts';

export interface CartState {
  /** Empty until something is put in. */
  readonly id: string;
  /** How many carts the same shopper had before: each has an id of its own. */
  readonly generation: number;
  /** Whose it is: one of the two. */
  readonly session_id: string | null;
  readonly customer_id: string | null;
  readonly status: 'active' | 'converted' | 'merged' | 'expired';
  /** Of the prices at which lines were written. */
  readonly currency: string;
  readonly lines: readonly CartLine[];
  /** Promotion codes in upper case, in the order in which they were entered. */
  readonly codes: readonly string[];
  /** In the order in which they were entered; left out while there are none. */
  readonly giftCards?: readonly SealedCard[];
  readonly version: number;
  /** Times are ms of the tenant's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When `cart.abandoned` is due; null without an identified shopper, without lines, or once it was told. */
  readonly abandonsAt: number | null;
  /** What came from anonymous carts lately, so that it comes once. */
  readonly takings: readonly Taking[];
  /** The actor's id of the cart that it was merged into; left out of any other. */
  readonly mergedInto?: string;
  /** The same shopper's cart before this one; left out of the first. */
  readonly before?: CartOutcome;
}

/** What became of a cart. */
export interface CartOutcome extends Pick<CartState, 'id' | 'status' | 'mergedInto'> {}

export interface CartPiece {
  readonly variant_id: string;
  readonly quantity: number;
}

/** What an order took of a cart. */
export interface BoughtLines {
  readonly lines: readonly CartPiece[];
  readonly codes: readonly string[];
  /** Ids of gift cards. */
  readonly giftCards: readonly string[];
}

/** The pieces that were taken over from one cart, by variant. */
export interface Taking {
  readonly source: string;
  /** The source's version then: all of it came over. */
  readonly version: number;
  readonly quantities: Readonly<Record<string, number>>;
}

export type CartFact =
  | {
      readonly type: 'Begun';
      readonly id: string;
      readonly session_id: string | null;
      readonly customer_id: string | null;
      readonly at: number;
      /** Of the cart before, whose rest this one is; left out where it begins empty. */
      readonly takings?: readonly Taking[];
    }
  | {
      readonly type: 'Changed';
      /** Lines new or written again. */
      readonly put: readonly CartLine[];
      /** Those lines before, and lines taken out. */
      readonly was: readonly CartLine[];
      /** Null: as before. */
      readonly codes: readonly string[] | null;
      /** Left out: as before. */
      readonly giftCards?: readonly SealedCard[];
      readonly currency: string;
      readonly abandonsAt: number | null;
      readonly taking: Taking | null;
      readonly at: number;
    }
  | {
      readonly type: 'Closed';
      readonly status: 'converted' | 'merged' | 'expired';
      readonly was: readonly CartLine[];
      readonly at: number;
      /** The cart that it was merged into. */
      readonly into?: string;
    }
  | { readonly type: 'Abandoned' }
  /** Nothing of it is needed any longer. */
  | { readonly type: 'Forgotten' };

/** What the store's settings say, needed by every command that may write. */
export interface CartSettings {
  readonly currency: string;
  readonly abandonedAfterMs: number;
}

export type CartCommand =
  | { readonly type: 'Read' }
  /** `offer` is null where the catalogue knows none; `param` is the field that named it. */
  | {
      readonly type: 'AddItem';
      readonly shop: CartSettings;
      readonly offer: LineOffer | null;
      readonly param: 'variant_id' | 'product_id';
      readonly quantity: number;
    }
  | {
      readonly type: 'SetQuantity';
      readonly shop: CartSettings;
      readonly item_id: string;
      readonly offer: LineOffer | null;
      readonly quantity: number;
    }
  | { readonly type: 'RemoveItem'; readonly shop: CartSettings; readonly item_id: string }
  | { readonly type: 'Empty'; readonly shop: CartSettings }
  | { readonly type: 'KeepCode'; readonly shop: CartSettings; readonly code: string }
  | { readonly type: 'DropCode'; readonly shop: CartSettings; readonly code: string }
  | { readonly type: 'KeepGiftCard'; readonly shop: CartSettings; readonly card: OfferedCard }
  /** By its id, or by its code's last four letters, which are all that a cart shows of it. */
  | { readonly type: 'DropGiftCard'; readonly shop: CartSettings; readonly id: string | null; readonly last4: string }
  /** Takes over what an anonymous cart holds, less what came from it before. */
  | {
      readonly type: 'TakeOver';
      readonly shop: CartSettings;
      readonly source: string;
      readonly version: number;
      readonly lines: readonly { readonly line: CartLine; readonly offer: LineOffer | null }[];
      readonly codes: readonly string[];
      readonly giftCards: readonly SealedCard[];
    }
  /** It went into another cart, as it was at that version. */
  | { readonly type: 'Merge'; readonly into: string; readonly version: number }
  /** It went into an order, as it was then; what came since goes on in the shopper's next cart. */
  | { readonly type: 'Convert'; readonly id: string; readonly version: number; readonly bought: BoughtLines }
  /** An order bought these of what was taken over; null: all of it. */
  | { readonly type: 'GiveUp'; readonly source: string; readonly lines: readonly CartPiece[] | null }
  /** Time has come. */
  | { readonly type: 'Due' };

/** A line whose quantity is not what was asked for. */
export interface Reduction {
  readonly item_id: string;
  readonly quantity: number;
}

export interface CartAnswer {
  readonly cart: CartState;
  readonly reductions: readonly Reduction[];
}

export const CART_LIMITS = {
  codesMax: 10,
  giftCardsMax: 10,
  codeCharactersMax: 64,
  takingsMax: 4,
  /** An anonymous cart that was not touched for so long is expired. */
  expiresAfterMs: 90 * 24 * 3_600_000,
  /** A closed anonymous cart is shown for so long. */
  forgottenAfterMs: 30 * 24 * 3_600_000,
} as const;

export const NO_CART: CartState = {
  id: '',
  generation: 0,
  session_id: null,
  customer_id: null,
  status: 'active',
  currency: '',
  lines: [],
  codes: [],
  version: 0,
  createdAt: 0,
  updatedAt: 0,
  abandonsAt: null,
  takings: [],
};

/** The actor's id of a shopper's cart. */
export const cartKey = (shopper: { readonly customer: string } | { readonly session: string }): string =>
  'customer' in shopper ? `c:${shopper.customer}` : `s:${shopper.session}`;

/** What became of one of a shopper's carts; null where it was longer ago. */
export const outcomeOf = (state: CartState, id: string): CartOutcome | null =>
  state.id === id ? state : state.before?.id === id ? state.before : null;

export const giftCardsOf = ({ giftCards = [] }: Pick<CartState, 'giftCards'>): readonly SealedCard[] => giftCards;

/** Whose cart an actor's id names. */
export const ownerOf = (key: string): Pick<CartState, 'session_id' | 'customer_id'> =>
  key.startsWith('c:')
    ? { session_id: null, customer_id: key.slice(2) }
    : { session_id: key.slice(2), customer_id: null };

/** A shopper's n-th cart has one id, shown already while it is empty. */
export const cartId = ({ tenant, id }: Pick<Context, 'tenant' | 'id'>, generation: number): string =>
  derivedId('cart', tenant.store, tenant.environment, id, generation);

const outcomeIn = ({ id, status, mergedInto }: CartState): CartOutcome =>
  mergedInto === undefined ? { id, status } : { id, status, mergedInto };

export const evolveCart = (state: CartState, fact: CartFact): CartState => {
  switch (fact.type) {
    case 'Begun':
      return {
        ...NO_CART,
        id: fact.id,
        generation: state.id === '' ? 0 : state.generation + 1,
        session_id: fact.session_id,
        customer_id: fact.customer_id,
        createdAt: fact.at,
        updatedAt: fact.at,
        ...(fact.takings && { takings: fact.takings }),
        ...(state.id !== '' && { before: outcomeIn(state) }),
      };
    case 'Changed': {
      const out = fact.was.filter(({ id }) => !fact.put.some((line) => line.id === id)).map(({ id }) => id);
      const { taking, giftCards = giftCardsOf(state) } = fact;
      // Name by name: to copy the rest of a state is slow.
      const changed: CartState = {
        id: state.id,
        generation: state.generation,
        session_id: state.session_id,
        customer_id: state.customer_id,
        status: state.status,
        currency: fact.currency,
        lines: replaced(state.lines, fact.put, out),
        codes: fact.codes ?? state.codes,
        version: state.version + 1,
        createdAt: state.createdAt,
        updatedAt: fact.at,
        abandonsAt: fact.abandonsAt,
        takings: taking
          ? [taking, ...state.takings.filter(({ source }) => source !== taking.source)].slice(0, CART_LIMITS.takingsMax)
          : state.takings,
      };
      if (giftCards.length === 0 && !state.before) return changed;
      return { ...changed, ...(giftCards.length > 0 && { giftCards }), ...(state.before && { before: state.before }) };
    }
    case 'Closed': {
      const { giftCards: _gone, ...rest } = state;
      return {
        ...rest,
        status: fact.status,
        lines: [],
        codes: [],
        version: state.version + 1,
        updatedAt: fact.at,
        abandonsAt: null,
        takings: [],
        ...(fact.into !== undefined && { mergedInto: fact.into }),
      };
    }
    case 'Abandoned':
      return { ...state, abandonsAt: null };
    case 'Forgotten':
      return NO_CART;
  }
};

/** When time alone changes it next: it is abandoned, expires, or is forgotten. A customer's cart is kept for ever. */
export const cartDueAt = (state: CartState): number | null => {
  if (state.id === '' || state.customer_id !== null) return state.abandonsAt;
  const { expiresAfterMs, forgottenAfterMs } = CART_LIMITS;
  return state.updatedAt + (state.status === 'active' ? expiresAfterMs : forgottenAfterMs);
};
