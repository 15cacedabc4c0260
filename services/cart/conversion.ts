// Facts that remove the lines that an order bought from the cart.
import type { Context } from '#runtime/actor/kind.ts';
import {
  type CartCommand,
  type CartFact,
  type CartState,
  type CartUnits,
  cartId,
  giftCardsOf,
  ownerOf,
} from './cart.ts';
import type { CartLine } from './line.ts';

const without = (lines: readonly CartLine[], pieces: readonly CartUnits[]): CartLine[] => {
  const left = new Map(pieces.map(({ variant_id, quantity }) => [variant_id, quantity]));
  return lines.flatMap((line) => {
    const gone = Math.min(left.get(line.variant_id) ?? 0, line.quantity);
    left.set(line.variant_id, (left.get(line.variant_id) ?? 0) - gone);
    return gone === line.quantity ? [] : [gone === 0 ? line : { ...line, quantity: line.quantity - gone }];
  });
};

/** Closes the cart. Lines added after the order read the cart move to the shopper's next cart. */
export const converted = (
  state: CartState,
  { id, version, bought }: Extract<CartCommand, { type: 'Convert' }>,
  context: Context,
): CartFact[] => {
  if (state.id === '' || state.id !== id || state.status !== 'active') return [];
  const at = context.now;
  const closed: CartFact = { type: 'Closed', status: 'converted', previous: state.lines, at };
  if (state.version === version) return [closed];
  const put = without(state.lines, bought.lines);
  const codes = state.codes.filter((code) => !bought.codes.includes(code));
  const giftCards = giftCardsOf(state).filter(({ id }) => !bought.giftCards.includes(id));
  if (put.length === 0 && codes.length === 0 && giftCards.length === 0) return [closed];
  const { mergedSources } = state;
  return [
    closed,
    { type: 'Opened', id: cartId(context, state.generation + 1), ...ownerOf(context.id), at, mergedSources },
    {
      type: 'Changed',
      put,
      previous: [],
      codes,
      ...(giftCards.length > 0 && { giftCards }),
      currency: state.currency,
      abandonsAt: put.length > 0 ? state.abandonsAt : null,
      mergedSource: null,
      at,
    },
  ];
};

/**
 * Removes merged units that an order bought, also from the source's `quantities`, so that a repeated command removes
 * none.
 */
export const givenUp = (
  state: CartState,
  { source, lines }: Extract<CartCommand, { type: 'RemoveMerged' }>,
  { now }: Context,
): CartFact[] => {
  const mergedSource = state.mergedSources.find((each) => each.source === source);
  if (!mergedSource || state.status !== 'active') return [];
  const asked = new Map(lines?.map(({ variant_id, quantity }) => [variant_id, quantity]));
  const pieces = Object.entries(mergedSource.quantities).flatMap(([variant_id, taken]) => {
    const quantity = lines === null ? taken : Math.min(asked.get(variant_id) ?? 0, taken);
    return quantity > 0 ? [{ variant_id, quantity }] : [];
  });
  if (pieces.length === 0) return [];
  const gone = new Map(pieces.map(({ variant_id, quantity }) => [variant_id, quantity]));
  const rest = without(state.lines, pieces);
  const previous = state.lines.filter((line) => !rest.includes(line));
  const quantities = Object.fromEntries(
    Object.entries(mergedSource.quantities).map(([id, taken]) => [id, taken - (gone.get(id) ?? 0)]),
  );
  return [
    {
      type: 'Changed',
      put: rest.filter(({ id }) => previous.some((line) => line.id === id)),
      previous,
      codes: null,
      currency: state.currency,
      abandonsAt: rest.length > 0 ? state.abandonsAt : null,
      mergedSource: { ...mergedSource, quantities },
      at: now,
    },
  ];
};
