// What an order asks of a cart: what is in it, and that it is over once it was bought.
import type { CartDirectoryRpcs, ReadCartRequest } from '#proto/gen/cart.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { Refusal } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { command, type Handlers, read } from '#runtime/rpc.ts';
import { CART } from './actor.ts';
import { look, lookFailed } from './actor_call.ts';
import { cartKey, giftCardsOf } from './cart.ts';
import { giftCardCodes } from './gift_card.ts';

export const cartDirectoryHandlers = (
  foundation: Pick<Foundation, 'actors' | 'seal'>,
): Handlers<CartDirectoryRpcs> => ({
  ReadCart: read(async (call, { session_id, customer_id }: ReadCartRequest) => {
    const key = cartKey(customer_id ? { customer: customer_id.toLowerCase() } : { session: session_id ?? '' });
    const answer = await foundation.actors.tell(CART, call.tenant, key, { type: 'Read' }, look(call)).catch(lookFailed);
    if (answer instanceof Refusal) return answer;
    const { id, version, status, lines, codes } = answer.cart;
    const open = status === 'active';
    return {
      id,
      key,
      version,
      lines: open ? lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })) : [],
      promotion_codes: open ? codes : [],
      gift_card_codes: open ? giftCardCodes(foundation.seal, call.tenant, giftCardsOf(answer.cart)) : [],
    };
  }),

  ConvertCart: command(async (actors, call, { key, version }) => {
    const answer = await actors.tell(
      CART,
      call.tenant,
      key,
      { type: 'Close', status: 'converted', version },
      {
        commandId: commandIdOf(call),
        deadline: call.deadline,
      },
    );
    return answer instanceof Refusal ? answer : { status: answer.cart.status };
  }),
});
