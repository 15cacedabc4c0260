// Erases a person's cart and wishlist.
import { randomUUID } from 'node:crypto';
import { Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { ErasureRule } from '#runtime/domain/personal_data.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { CART, WISHLIST } from './actor.ts';
import { cartKey } from './cart.ts';

const FORGET_MS = 5_000;

export const cartErasures = ({ actors, clock }: Pick<Runtime, 'actors' | 'clock'>): readonly ErasureRule[] => [
  {
    what: 'cart and wishlist',
    stage: 'actor',
    erase: async ({ tenant, id }) => {
      const call = () => ({ commandId: randomUUID(), deadline: clock.real() + FORGET_MS });
      const forgotten = [
        await actors.tell(CART, tenant, cartKey({ customer: id }), { type: 'Forget' }, call()),
        await actors.tell(WISHLIST, tenant, id, { type: 'Forget' }, call()),
      ];
      for (const answer of forgotten) if (answer instanceof Refusal) throw new Unavailable(answer.message);
    },
  },
];
