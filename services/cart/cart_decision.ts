// Decides commands to a cart: facts, or a refusal.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import {
  CART_LIMITS,
  type CartAnswer,
  type CartCommand,
  type CartFact,
  type CartSettings,
  type CartState,
  cartDueAt,
  cartId,
  evolveCart,
  giftCardsOf,
  type MergedSource,
  ownerOf,
  type Reduction,
} from './cart.ts';
import { converted, givenUp } from './conversion.ts';
import { derivedId } from './derived_id.ts';
import type { SealedCard } from './gift_card.ts';
import {
  availableUnits,
  type CartLine,
  LIMITS,
  type LineOffer,
  limitRefusal,
  lineOf,
  replaceLines,
  shortage,
  unitPriceOf,
} from './line.ts';

type CartDecision = Decision<CartFact, CartAnswer, CartState>;

export const decideCart = (state: CartState, command: CartCommand, context: Context): CartDecision | Refusal => {
  switch (command.type) {
    case 'Read':
      return nothing(state);
    case 'AddItem':
      return addItem(state, command, context);
    case 'SetQuantity':
      return setQuantity(state, command, context);
    case 'RemoveItem': {
      const line = state.lines.find(({ id }) => id === command.item_id);
      return line ? change(state, context, command.settings, { previous: [line] }) : notFound('item', 'item_id');
    }
    case 'Empty': {
      if (state.lines.length === 0 && state.codes.length === 0 && !state.giftCards) return nothing(state);
      return change(state, context, command.settings, { previous: state.lines, codes: [], giftCards: [] });
    }
    case 'SetCurrency':
      return setCurrency(state, command, context);
    case 'AddCode': {
      const code = command.code;
      if (state.codes.includes(code)) return nothing(state);
      if (state.codes.length >= CART_LIMITS.codesMax) {
        return refuse('conflict', `A cart holds at most ${CART_LIMITS.codesMax} codes. Remove one first.`, {
          param: 'code',
        });
      }
      return change(state, context, command.settings, { codes: [...state.codes, code] });
    }
    case 'RemoveCode': {
      if (!state.codes.includes(command.code)) return notFound('promotion code in the cart', 'code');
      return change(state, context, command.settings, { codes: state.codes.filter((code) => code !== command.code) });
    }
    case 'AddGiftCard': {
      const cards = giftCardsOf(state);
      const { card } = command;
      if ('obstacle' in card) return refuse('gift_card_not_applicable', card.obstacle, { param: 'code' });
      if (cards.some(({ id }) => id === card.id)) return nothing(state);
      if (cards.length >= CART_LIMITS.giftCardsMax) {
        return refuse('conflict', `A cart holds at most ${CART_LIMITS.giftCardsMax} gift cards. Remove one first.`, {
          param: 'code',
        });
      }
      return change(state, context, command.settings, { giftCards: [...cards, card] });
    }
    case 'RemoveGiftCard': {
      const cards = giftCardsOf(state);
      const { id, last4 } = command;
      const dropped = cards.find((card) => card.id === id) ?? cards.find((card) => card.last4 === last4);
      if (!dropped) return notFound('gift card in the cart', 'code');
      return change(state, context, command.settings, { giftCards: cards.filter((card) => card !== dropped) });
    }
    case 'MergeIn':
      return takeOver(state, command, context);
    case 'Merge':
      // Records nothing: the state in the answer shows that the cart has changed or was closed.
      if (state.id === '' || state.status !== 'active' || state.version !== command.version) return nothing(state);
      return after(state, [
        { type: 'Closed', status: 'merged', previous: state.lines, at: context.now, into: command.into },
      ]);
    case 'Convert':
      return after(state, converted(state, command, context));
    case 'RemoveMerged':
      return after(state, givenUp(state, command, context));
    case 'Forget':
      return state.id === '' ? nothing(state) : after(state, [{ type: 'Forgotten' }]);
    case 'Due':
      return due(state, context);
  }
};

const nothing = (cart: CartState): CartDecision => ({ facts: [], answer: { cart, reductions: [] } });

const after = (before: CartState, facts: readonly CartFact[], reductions: readonly Reduction[] = []): CartDecision => {
  const state = facts.reduce(evolveCart, before);
  return { facts, answer: { cart: state, reductions }, state };
};

interface Change {
  readonly put?: readonly CartLine[];
  readonly previous?: readonly CartLine[];
  readonly codes?: readonly string[];
  readonly giftCards?: readonly SealedCard[];
  readonly mergedSource?: MergedSource;
}

/** Records a change; if the cart is closed, opens the shopper's next cart for it. */
const change = (
  state: CartState,
  context: Context,
  settings: CartSettings,
  { put = [], previous = [], codes, giftCards, mergedSource }: Change,
  reductions: readonly Reduction[] = [],
): CartDecision | Refusal => {
  const out = previous.filter(({ id }) => !put.some((line) => line.id === id)).map(({ id }) => id);
  const lines = replaceLines(state.lines, put, out);
  const refusal = currencyObstacle(state, settings) ?? (put.length > 0 ? limitRefusal(lines) : null);
  if (refusal) return refusal;
  const owner = ownerOf(context.id);
  const at = context.now;
  const changed: CartFact = {
    type: 'Changed',
    put,
    previous,
    codes: codes ?? null,
    ...(giftCards && { giftCards }),
    currency: settings.currency,
    ...(state.lines.length > 0 && state.currency !== settings.currency && { formerCurrency: state.currency }),
    abandonsAt: owner.customer_id !== null && lines.length > 0 ? at + settings.abandonedAfterMs : null,
    mergedSource: mergedSource ?? null,
    at,
  };
  if (state.id !== '' && state.status === 'active') return after(state, [changed], reductions);
  const generation = state.id === '' ? 0 : state.generation + 1;
  return after(state, [{ type: 'Opened', id: cartId(context, generation), ...owner, at }, changed], reductions);
};

/** Refuses prices that were looked up in another currency than the cart has by now. */
const currencyObstacle = (cart: CartState, { currency, seen }: CartSettings): Refusal | null =>
  seen === undefined || cart.status !== 'active' || cart.currency === seen || cart.currency === currency
    ? null
    : refuse('conflict', 'The currency of the cart changed meanwhile. Retry the request.', { retryAfterS: 1 });

/** Shows each line at its price in the new currency; a line without one costs nothing and cannot be ordered. */
const setCurrency = (
  state: CartState,
  { settings, version, isOwn, offers }: Extract<CartCommand, { type: 'SetCurrency' }>,
  context: Context,
): CartDecision | Refusal => {
  if (state.currency === settings.currency || (state.currency === '' && isOwn)) return nothing(state);
  if (state.version !== version)
    return refuse('conflict', 'The cart changed meanwhile. Retry the request.', { retryAfterS: 1 });
  const put = state.lines.map((line) => ({ ...line, unit_price: convertedPrice(line, offers) }));
  return change(state, context, settings, { put, previous: state.lines });
};

const convertedPrice = ({ variant_id, quantity }: CartLine, offers: readonly LineOffer[]): number => {
  const offer = offers.find((each) => each.variant_id === variant_id);
  return (offer && unitPriceOf(offer, quantity)) ?? 0;
};

const addItem = (
  state: CartState,
  { settings, offer, param, quantity }: Extract<CartCommand, { type: 'AddItem' }>,
  context: Context,
): CartDecision | Refusal => {
  if (!offer?.is_active) return notFound(param === 'product_id' ? 'product' : 'variant', param);
  const line = state.lines.find(({ variant_id }) => variant_id === offer.variant_id);
  const wanted = (line?.quantity ?? 0) + quantity;
  const short = shortage(offer, wanted);
  if (short) return short;
  const id = line?.id ?? derivedId('line', context.commandId, offer.variant_id);
  return change(state, context, settings, { put: [lineOf(id, offer, wanted)], previous: line ? [line] : [] });
};

const setQuantity = (
  state: CartState,
  { settings, item_id, offer, quantity }: Extract<CartCommand, { type: 'SetQuantity' }>,
  context: Context,
): CartDecision | Refusal => {
  const line = state.lines.find(({ id }) => id === item_id);
  if (!line) return notFound('item', 'item_id');
  if (quantity === 0) return change(state, context, settings, { previous: [line] });
  const short = shortage(offer, quantity);
  if (short) return short;
  if (quantity === line.quantity && unitPriceOf(offer!, quantity) === line.unit_price) return nothing(state);
  return change(state, context, settings, { put: [lineOf(line.id, offer!, quantity)], previous: [line] });
};

const takeOver = (
  state: CartState,
  { settings, source, version, lines, codes, giftCards, currency }: Extract<CartCommand, { type: 'MergeIn' }>,
  context: Context,
): CartDecision | Refusal => {
  const taken = state.mergedSources.find((mergedSource) => mergedSource.source === source);
  const empty = lines.length === 0 && codes.length === 0 && giftCards.length === 0;
  if (taken?.version === version || empty) return nothing(state);
  const before = taken?.quantities ?? {};
  const put: CartLine[] = [];
  const previous: CartLine[] = [];
  const reductions: Reduction[] = [];
  for (const { line, offer } of lines) {
    const more = line.quantity - (before[line.variant_id] ?? 0);
    if (more <= 0) continue;
    const own = state.lines.find(({ variant_id }) => variant_id === line.variant_id);
    const sum = (own?.quantity ?? 0) + more;
    const quantity = summed(own?.quantity ?? 0, more, offer);
    // Keeps the price stored in the line, so that the cart still warns of a price change.
    const isForeign = currency !== undefined && currency !== settings.currency;
    const unit_price = isForeign ? ((offer && unitPriceOf(offer, quantity)) ?? 0) : line.unit_price;
    const merged = { ...(own ?? { ...line, unit_price }), quantity };
    if (quantity < sum) reductions.push({ item_id: merged.id, quantity });
    if (quantity === own?.quantity) continue;
    put.push(merged);
    if (own) previous.push(own);
  }
  const all = [...new Set([...state.codes, ...codes])].slice(0, CART_LIMITS.codesMax);
  const stored = giftCardsOf(state);
  const cards = [...stored, ...giftCards.filter(({ id }) => !stored.some((card) => card.id === id))];
  const quantities = Object.fromEntries(lines.map(({ line }) => [line.variant_id, line.quantity]));
  const changes: Change = {
    put,
    previous,
    codes: all,
    ...(giftCards.length > 0 && { giftCards: cards.slice(0, CART_LIMITS.giftCardsMax) }),
    mergedSource: { source, version, quantities },
  };
  return change(state, context, settings, changes, reductions);
};

const summed = (own: number, more: number, offer: LineOffer | null): number => {
  const most = Math.min(availableUnits(offer), LIMITS.quantityMax);
  return most === 0 ? Math.max(own, more) : Math.min(own + more, most);
};

const due = (state: CartState, { now }: Context): CartDecision => {
  const at = cartDueAt(state);
  if (at === null || at > now) return nothing(state);
  if (state.customer_id !== null) return after(state, [{ type: 'Abandoned' }]);
  if (state.status !== 'active') return after(state, [{ type: 'Forgotten' }]);
  return after(state, [{ type: 'Closed', status: 'expired', previous: state.lines, at: now }]);
};
