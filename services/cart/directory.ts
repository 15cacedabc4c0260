// The rpc handlers that read a cart for an order and close it once the order has bought its lines.

import type { CartDirectoryRpcs, ReadCartRequest } from '#proto/gen/cart_directory.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { Refusal } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { CART } from './actor.ts';
import { readCall } from './actor_call.ts';
import { cartKey, giftCardsOf, outcomeOf } from './cart.ts';
import { giftCardCodes } from './gift_card.ts';

export const cartDirectoryHandlers = (runtime: Pick<Runtime, 'actors' | 'seal'>): Handlers<CartDirectoryRpcs> => ({
  ReadCart: read(async (call, { session_id, customer_id }: ReadCartRequest) => {
    const key = cartKey(customer_id ? { customer: customer_id.toLowerCase() } : { session: session_id ?? '' });
    const answer = await runtime.actors
      .tell(CART, call.tenant, key, { type: 'Read' }, readCall(call))
      .catch(rethrowRetryable);
    if (answer instanceof Refusal) return answer;
    const { id, version, status, lines, codes, currency } = answer.cart;
    const open = status === 'active';
    return {
      id,
      key,
      version,
      lines: open ? lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })) : [],
      currency: open && currency !== '' ? currency : null,
      promotion_codes: open ? codes : [],
      gift_card_ids: open ? giftCardsOf(answer.cart).map(({ id }) => id) : [],
      gift_card_codes: open ? giftCardCodes(runtime.seal, call.tenant, giftCardsOf(answer.cart)) : [],
    };
  }),

  ConvertCart: command(async (actors, call, { key, version, id, lines: asked = [], ...took }) => {
    const lines = asked.map(({ variant_id = '', quantity = 0 }) => ({ variant_id, quantity }));
    const { promotion_codes: codes = [], gift_card_ids: giftCards = [] } = took;
    const as = { commandId: commandIdOf(call), deadline: call.deadline };
    const answer = await actors.tell(
      CART,
      call.tenant,
      key,
      { type: 'Convert', id, version, bought: { lines, codes, giftCards } },
      as,
    );
    if (answer instanceof Refusal) return answer;
    const outcome = outcomeOf(answer.cart, id);
    // The cart was merged into another after the order read it, so the bought lines are removed there.
    if (outcome?.mergedInto !== undefined) {
      const given = await actors.tell(
        CART,
        call.tenant,
        outcome.mergedInto,
        { type: 'RemoveMerged', source: id, lines },
        as,
      );
      if (given instanceof Refusal) return given;
    }
    return { status: outcome?.status ?? answer.cart.status };
  }),
});
