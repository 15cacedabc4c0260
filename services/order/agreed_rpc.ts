// The door by which wholesale has orders of purchase orders made and sent.
import type { AgreedOrderRpcs, PlaceAgreedOrderRequest, PlaceAgreedOrderResponse } from '#proto/gen/order_directory.ts';
import { type Handlers, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { placeAgreed, prepareAgreed, shipAgreed } from './agreed.ts';
import type { FollowUps } from './follow_up.ts';
import { letGo, type PreparationParts, type PreparedOrder } from './preparation.ts';

export const agreedOrderHandlers = (
  { log }: Pick<Runtime, 'log'>,
  parts: Pick<PreparationParts, 'neighbours' | 'numbers' | 'hold'> & { readonly followUps: FollowUps },
): Handlers<AgreedOrderRpcs> => ({
  PlaceAgreedOrder: staged<PlaceAgreedOrderRequest, PlaceAgreedOrderResponse, PreparedOrder>({
    prepare: (call, input) => prepareAgreed(parts, call, input),
    run: async (tx, call, input, prepared) => {
      const { attempt, origin, lines } = prepared;
      const variants = lines.map(({ variant_id }) => variant_id);
      tx.afterCommit(() =>
        parts.followUps
          .follow(call, [{ id: input.order_id, attempt, origin, variants }])
          .catch((problem) => log.debug({ err: problem }, 'what follows an order is done a little later')),
      );
      return placeAgreed(tx, call.tenant, input, prepared);
    },
    owns: true,
    undo: (call, prepared) => letGo(parts.neighbours, call, prepared),
  }),

  ShipAgreedOrder: transaction((tx, { tenant }, input) => shipAgreed(tx, tenant, input)),
});
