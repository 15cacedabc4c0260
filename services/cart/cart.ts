// The state of a cart, its facts and its commands. A line stores the price at its last change and is shown at the
// current price.
import type { Context } from '#runtime/actor/kind.ts';
import type { AuditedState } from '#runtime/audit/command_audit.ts';
import { derivedId } from './derived_id.ts';
import type { OfferedCard, SealedCard } from './gift_card.ts';
import { type CartLine, type LineOffer, replaceLines } from './line.ts';

export interface CartState {
  /** Empty until an item is added. */
  readonly id: string;
  /** Number of the shopper's earlier carts. */
  readonly generation: number;
  readonly session_id: string | null;
  readonly customer_id: string | null;
  readonly status: 'active' | 'converted' | 'merged' | 'expired';
  readonly currency: string;
  readonly lines: readonly CartLine[];
  /** Promotion codes in upper case, in the sequence in which they were added. */
  readonly codes: readonly string[];
  readonly giftCards?: readonly SealedCard[];
  readonly version: number;
  /** In ms by the tenant's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When `cart.abandoned` is due, in ms; null for anonymous or empty carts, and once the event was sent. */
  readonly abandonsAt: number | null;
  /** Anonymous carts merged into this one recently, recorded so that no line is added twice. */
  readonly mergedSources: readonly MergedSource[];
  readonly mergedInto?: string;
  readonly previousCart?: CartOutcome;
}

export interface CartOutcome extends Pick<CartState, 'id' | 'status' | 'mergedInto'> {}

export interface CartUnits {
  readonly variant_id: string;
  readonly quantity: number;
}

export interface BoughtLines {
  readonly lines: readonly CartUnits[];
  readonly codes: readonly string[];
  readonly giftCards: readonly string[];
}

export interface MergedSource {
  readonly source: string;
  readonly version: number;
  readonly quantities: Readonly<Record<string, number>>;
}

export type CartFact =
  | {
      readonly type: 'Opened';
      readonly id: string;
      readonly session_id: string | null;
      readonly customer_id: string | null;
      readonly at: number;
      readonly mergedSources?: readonly MergedSource[];
    }
  | {
      readonly type: 'Changed';
      readonly put: readonly CartLine[];
      /** Former state of the lines in `put`, and the removed lines. */
      readonly previous: readonly CartLine[];
      readonly codes: readonly string[] | null;
      readonly giftCards?: readonly SealedCard[];
      readonly currency: string;
      /** That of the lines in `previous`, if it was another one. */
      readonly formerCurrency?: string;
      readonly abandonsAt: number | null;
      readonly mergedSource: MergedSource | null;
      readonly at: number;
    }
  | {
      readonly type: 'Closed';
      readonly status: 'converted' | 'merged' | 'expired';
      readonly previous: readonly CartLine[];
      readonly at: number;
      readonly into?: string;
    }
  | { readonly type: 'Abandoned' }
  | { readonly type: 'Forgotten' };

export interface CartSettings {
  readonly currency: string;
  /** Currency of the cart when its prices were looked up in `currency`; absent in a store with one currency. */
  readonly seen?: string;
  readonly abandonedAfterMs: number;
}

export type CartCommand =
  | { readonly type: 'Read' }
  /** `offer` is null if the catalogue has none. `param` is the body's field that named the variant or product. */
  | {
      readonly type: 'AddItem';
      readonly settings: CartSettings;
      readonly offer: LineOffer | null;
      readonly param: 'variant_id' | 'product_id';
      readonly quantity: number;
    }
  | {
      readonly type: 'SetQuantity';
      readonly settings: CartSettings;
      readonly item_id: string;
      readonly offer: LineOffer | null;
      readonly quantity: number;
    }
  | { readonly type: 'RemoveItem'; readonly settings: CartSettings; readonly item_id: string }
  | { readonly type: 'Empty'; readonly settings: CartSettings }
  /** Sets the currency if the cart still has the version whose variants were looked up in it. */
  | {
      readonly type: 'SetCurrency';
      readonly settings: CartSettings;
      /** Whether it is the store's, in which a cart is that was never opened. */
      readonly isOwn: boolean;
      readonly version: number;
      readonly offers: readonly LineOffer[];
    }
  | { readonly type: 'AddCode'; readonly settings: CartSettings; readonly code: string }
  | { readonly type: 'RemoveCode'; readonly settings: CartSettings; readonly code: string }
  | { readonly type: 'AddGiftCard'; readonly settings: CartSettings; readonly card: OfferedCard }
  /** Removes the gift card with this id or these last four letters of its code. */
  | {
      readonly type: 'RemoveGiftCard';
      readonly settings: CartSettings;
      readonly id: string | null;
      readonly last4: string;
    }
  /** Adds the lines of an anonymous cart, without units that were merged before. */
  | {
      readonly type: 'MergeIn';
      readonly settings: CartSettings;
      readonly source: string;
      readonly version: number;
      readonly lines: readonly { readonly line: CartLine; readonly offer: LineOffer | null }[];
      readonly codes: readonly string[];
      readonly giftCards: readonly SealedCard[];
      /** Currency of the source's prices. */
      readonly currency?: string;
    }
  /** Closes this anonymous cart if it still has the version that was merged. */
  | { readonly type: 'Merge'; readonly into: string; readonly version: number }
  | { readonly type: 'Convert'; readonly id: string; readonly version: number; readonly bought: BoughtLines }
  /**
   * Removes units that were merged from the source cart and that an order of the source cart bought meanwhile; `lines`
   * null removes all of the source's units.
   */
  | { readonly type: 'RemoveMerged'; readonly source: string; readonly lines: readonly CartUnits[] | null }
  /** Forgets everything, with former carts. */
  | { readonly type: 'Forget' }
  | { readonly type: 'Due' };

/** A line with fewer units than requested, because stock is short. */
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
  mergedSourcesMax: 4,
  /** Time without a change after which an anonymous cart expires. */
  expiresAfterMs: 90 * 24 * 3_600_000,
  closedRetentionMs: 30 * 24 * 3_600_000,
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
  mergedSources: [],
};

export const cartKey = (shopper: { readonly customer: string } | { readonly session: string }): string =>
  'customer' in shopper ? `c:${shopper.customer}` : `s:${shopper.session}`;

export const outcomeOf = (state: CartState, id: string): CartOutcome | null =>
  state.id === id ? state : state.previousCart?.id === id ? state.previousCart : null;

export const giftCardsOf = ({ giftCards = [] }: Pick<CartState, 'giftCards'>): readonly SealedCard[] => giftCards;

export const ownerOf = (key: string): Pick<CartState, 'session_id' | 'customer_id'> =>
  key.startsWith('c:')
    ? { session_id: null, customer_id: key.slice(2) }
    : { session_id: key.slice(2), customer_id: null };

/** Derives the id from shopper and generation, so that even an empty cart has one. */
export const cartId = ({ tenant, id }: Pick<Context, 'tenant' | 'id'>, generation: number): string =>
  derivedId('cart', tenant.store, tenant.environment, id, generation);

const outcomeIn = ({ id, status, mergedInto }: CartState): CartOutcome =>
  mergedInto === undefined ? { id, status } : { id, status, mergedInto };

export const evolveCart = (state: CartState, fact: CartFact): CartState => {
  switch (fact.type) {
    case 'Opened':
      return {
        ...NO_CART,
        id: fact.id,
        generation: state.id === '' ? 0 : state.generation + 1,
        session_id: fact.session_id,
        customer_id: fact.customer_id,
        createdAt: fact.at,
        updatedAt: fact.at,
        ...(fact.mergedSources && { mergedSources: fact.mergedSources }),
        ...(state.id !== '' && { previousCart: outcomeIn(state) }),
      };
    case 'Changed': {
      const out = fact.previous.filter(({ id }) => !fact.put.some((line) => line.id === id)).map(({ id }) => id);
      const { mergedSource, giftCards = giftCardsOf(state) } = fact;
      // Built field by field, because a spread is slow.
      const changed: CartState = {
        id: state.id,
        generation: state.generation,
        session_id: state.session_id,
        customer_id: state.customer_id,
        status: state.status,
        currency: fact.currency,
        lines: replaceLines(state.lines, fact.put, out),
        codes: fact.codes ?? state.codes,
        version: state.version + 1,
        createdAt: state.createdAt,
        updatedAt: fact.at,
        abandonsAt: fact.abandonsAt,
        mergedSources: mergedSource
          ? [mergedSource, ...state.mergedSources.filter(({ source }) => source !== mergedSource.source)].slice(
              0,
              CART_LIMITS.mergedSourcesMax,
            )
          : state.mergedSources,
      };
      if (giftCards.length === 0 && !state.previousCart) return changed;
      return {
        ...changed,
        ...(giftCards.length > 0 && { giftCards }),
        ...(state.previousCart && { previousCart: state.previousCart }),
      };
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
        mergedSources: [],
        ...(fact.into !== undefined && { mergedInto: fact.into }),
      };
    }
    case 'Abandoned':
      return { ...state, abandonsAt: null };
    case 'Forgotten':
      return NO_CART;
  }
};

export const cartDueAt = (state: CartState): number | null => {
  if (state.id === '' || state.customer_id !== null) return state.abandonsAt;
  const { expiresAfterMs, closedRetentionMs } = CART_LIMITS;
  return state.updatedAt + (state.status === 'active' ? expiresAfterMs : closedRetentionMs);
};

/** Codes of promotions and gift cards stay out of the audit log. */
export const auditedCart = ({ id, currency, lines, codes, giftCards = [] }: CartState): AuditedState | null =>
  id === ''
    ? null
    : {
        id,
        fields: {
          currency,
          items: lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
          promotions: codes.length,
          gift_cards: giftCards.length,
        },
      };
