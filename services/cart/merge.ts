// An anonymous cart goes into a customer's: first taken, then closed, so that whatever fails between the two, nothing is
// lost, and as the taker remembers what it took from which version, nothing comes twice.
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { CART } from './actor.ts';
import { afterEffect, effect, look, lookFailed, step } from './actor_call.ts';
import {
  type CartAnswer,
  type CartCommand,
  type CartSettings,
  type CartState,
  giftCardsOf,
  outcomeOf,
  type Reduction,
} from './cart.ts';
import type { CartCatalogue } from './catalogue.ts';
import type { LineOffer } from './line.ts';

/** A cart that changes under every try is left with what could not be taken. */
const TURNS_MAX = 5;

export interface Merged {
  readonly answer: CartAnswer;
  /** Of the lines that were taken. */
  readonly offers: readonly LineOffer[];
}

/** `source` and `target` are the two actors' ids, `customer` the one whose cart the target is. */
export const mergeCart = async (
  actors: Actors,
  catalogue: CartCatalogue,
  call: Call,
  shop: CartSettings,
  { source, target, customer }: { readonly source: string; readonly target: string; readonly customer: string },
): Promise<Merged | Refusal> => {
  const tell = (key: string, command: CartCommand, as: Parameters<Actors['tell']>[4]) =>
    actors.tell(CART, call.tenant, key, command, as);
  /** What became of the source: merged now, bought by an order meanwhile, or still open as it was changed. */
  const close = async (id: string, version: number): Promise<CartState['status'] | null> => {
    const answer = await tell(source, { type: 'Merge', into: target, version }, step(call, `close ${id} ${version}`));
    return answer instanceof Refusal ? null : (outcomeOf(answer.cart, id)?.status ?? null);
  };

  const reductions: Reduction[] = [];
  for (let turn = 0; ; turn++) {
    const failed = turn === 0 ? lookFailed : afterEffect;
    const from = await tell(source, { type: 'Read' }, look(call)).catch(failed);
    if (from instanceof Refusal) return from;
    const { id, version, lines, codes } = from.cart;
    const ids = lines.map(({ variant_id }) => variant_id);
    const offers = await catalogue.offers(call, ids, customer).catch(failed);
    const offered = lines.map((line) => ({ line, offer: offers.get(line.variant_id) ?? null }));
    const giftCards = giftCardsOf(from.cart);
    const takeOver: CartCommand = { type: 'TakeOver', shop, source: id, version, lines: offered, codes, giftCards };
    // The first turn is the effect; what another one takes came into the source meanwhile.
    const taken =
      turn === 0
        ? await tell(target, takeOver, effect(call))
        : await tell(target, takeOver, step(call, `take ${turn}`)).catch(afterEffect);
    if (taken instanceof Refusal) return taken;
    reductions.push(...taken.reductions);
    const taking = taken.cart.takings.find((each) => each.source === id);
    const told = (answer: CartAnswer): Merged => ({ answer: { ...answer, reductions }, offers: [...offers.values()] });
    if (!taking || turn === TURNS_MAX) return told(taken);
    const status = await close(id, taking.version).catch(afterEffect);
    if (status === 'converted') {
      // Its lines are an order's now; what the order left is in the shopper's next cart, and comes with another turn.
      const given = await tell(target, { type: 'GiveUp', source: id, lines: null }, step(call, `give up ${id}`)).catch(
        afterEffect,
      );
      if (given instanceof Refusal) return given;
    } else if (status !== 'active') return told(taken);
  }
};
