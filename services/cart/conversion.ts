// What an order takes of a cart, and what it leaves there: the facts of both.
import type { Context } from '#runtime/actor/kind.ts';
import {
  type CartCommand,
  type CartFact,
  type CartPiece,
  type CartState,
  cartId,
  giftCardsOf,
  ownerOf,
} from './cart.ts';
import type { CartLine } from './line.ts';

/** Lines without those pieces; of a variant on several lines the first gives them. */
const without = (lines: readonly CartLine[], pieces: readonly CartPiece[]): CartLine[] => {
  const left = new Map(pieces.map(({ variant_id, quantity }) => [variant_id, quantity]));
  return lines.flatMap((line) => {
    const gone = Math.min(left.get(line.variant_id) ?? 0, line.quantity);
    left.set(line.variant_id, (left.get(line.variant_id) ?? 0) - gone);
    return gone === line.quantity ? [] : [gone === 0 ? line : { ...line, quantity: line.quantity - gone }];
  });
};

/** Lines that the order took leave; what was put in since stays the shopper's, in their next cart. */
export const converted = (
  state: CartState,
  { id, version, bought }: Extract<CartCommand, { type: 'Convert' }>,
  context: Context,
): CartFact[] => {
  if (state.id === '' || state.id !== id || state.status !== 'active') return [];
  const at = context.now;
  const closed: CartFact = { type: 'Closed', status: 'converted', was: state.lines, at };
  if (state.version === version) return [closed];
  const put = without(state.lines, bought.lines);
  const codes = state.codes.filter((code) => !bought.codes.includes(code));
  const giftCards = giftCardsOf(state).filter(({ id }) => !bought.giftCards.includes(id));
  if (put.length === 0 && codes.length === 0 && giftCards.length === 0) return [closed];
  const { takings } = state;
  return [
    closed,
    { type: 'Begun', id: cartId(context, state.generation + 1), ...ownerOf(context.id), at, takings },
    {
      type: 'Changed',
      put,
      was: [],
      codes,
      ...(giftCards.length > 0 && { giftCards }),
      currency: state.currency,
      abandonsAt: put.length > 0 ? state.abandonsAt : null,
      taking: null,
      at,
    },
  ];
};

/** Once only: what is given up is no longer among what was taken. */
export const givenUp = (
  state: CartState,
  { source, lines }: Extract<CartCommand, { type: 'GiveUp' }>,
  { now }: Context,
): CartFact[] => {
  const taking = state.takings.find((each) => each.source === source);
  if (!taking || state.status !== 'active') return [];
  const asked = new Map(lines?.map(({ variant_id, quantity }) => [variant_id, quantity]));
  const pieces = Object.entries(taking.quantities).flatMap(([variant_id, taken]) => {
    const quantity = lines === null ? taken : Math.min(asked.get(variant_id) ?? 0, taken);
    return quantity > 0 ? [{ variant_id, quantity }] : [];
  });
  if (pieces.length === 0) return [];
  const gone = new Map(pieces.map(({ variant_id, quantity }) => [variant_id, quantity]));
  const rest = without(state.lines, pieces);
  const was = state.lines.filter((line) => !rest.includes(line));
  const quantities = Object.fromEntries(
    Object.entries(taking.quantities).map(([id, taken]) => [id, taken - (gone.get(id) ?? 0)]),
  );
  return [
    {
      type: 'Changed',
      put: rest.filter(({ id }) => was.some((line) => line.id === id)),
      was,
      codes: null,
      currency: state.currency,
      abandonsAt: rest.length > 0 ? state.abandonsAt : null,
      taking: { ...taking, quantities },
      at: now,
    },
  ];
};
