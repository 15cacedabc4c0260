// Merges an anonymous cart into a customer's. The target takes the lines before the source is closed, so that a failure
// between both steps loses none. The target records the version of each source, so that no line is added twice.

import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { CART } from './actor.ts';
import { afterEffect, effect, readCall, step } from './actor_call.ts';
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

/** Attempts to merge a cart that changes meanwhile. Changes after the last attempt stay in the anonymous cart. */
const ATTEMPTS_MAX = 5;

export interface Merged {
  readonly answer: CartAnswer;
  readonly offers: readonly LineOffer[];
}

/** `source` and `target` are actor ids; `customer` owns the target. */
export const mergeCart = async (
  actors: Actors,
  catalogue: CartCatalogue,
  call: Call,
  settings: CartSettings,
  { source, target, customer }: { readonly source: string; readonly target: string; readonly customer: string },
): Promise<Merged | Refusal> => {
  const tell = (key: string, command: CartCommand, as: Parameters<Actors['tell']>[4]) =>
    actors.tell(CART, call.tenant, key, command, as);
  /**
   * Closes the source. Returns its status: `merged`, `converted` by an order, or `active` if it has changed since
   * `version`.
   */
  const close = async (id: string, version: number): Promise<CartState['status'] | null> => {
    const answer = await tell(source, { type: 'Merge', into: target, version }, step(call, `close ${id} ${version}`));
    return answer instanceof Refusal ? null : (outcomeOf(answer.cart, id)?.status ?? null);
  };

  const reductions: Reduction[] = [];
  for (let attempt = 0; ; attempt++) {
    const failed = attempt === 0 ? rethrowRetryable : afterEffect;
    const from = await tell(source, { type: 'Read' }, readCall(call)).catch(failed);
    if (from instanceof Refusal) return from;
    const { id, version, lines, codes, currency } = from.cart;
    const ids = lines.map(({ variant_id }) => variant_id);
    const offers = await catalogue.offers(call, ids, customer, settings.currency).catch(failed);
    const offered = lines.map((line) => ({ line, offer: offers.get(line.variant_id) ?? null }));
    const giftCards = giftCardsOf(from.cart);
    const takeOver: CartCommand = {
      type: 'MergeIn',
      settings,
      source: id,
      version,
      lines: offered,
      codes,
      giftCards,
      currency,
    };
    // The first attempt is the effect of the call; later attempts add lines that the source received meanwhile.
    const taken =
      attempt === 0
        ? await tell(target, takeOver, effect(call))
        : await tell(target, takeOver, step(call, `take ${attempt}`)).catch(afterEffect);
    if (taken instanceof Refusal) return taken;
    reductions.push(...taken.reductions);
    const mergedSource = taken.cart.mergedSources.find((each) => each.source === id);
    const merged = (answer: CartAnswer): Merged => ({
      answer: { ...answer, reductions },
      offers: [...offers.values()],
    });
    if (!mergedSource || attempt === ATTEMPTS_MAX) return merged(taken);
    const status = await close(id, mergedSource.version).catch(afterEffect);
    if (status === 'converted') {
      // The source was ordered, so the target gives its lines back. Lines that were not ordered are in the shopper's
      // next cart, which the next attempt merges.
      const given = await tell(
        target,
        { type: 'RemoveMerged', source: id, lines: null },
        step(call, `give up ${id}`),
      ).catch(afterEffect);
      if (given instanceof Refusal) return given;
    } else if (status !== 'active') return merged(taken);
  }
};
