// The door by which wholesale has orders of purchase orders made and sent.
import type { AgreedOrderRpcs, PlaceAgreedOrderRequest, PlaceAgreedOrderResponse } from '#proto/gen/order_directory.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { type Handlers, staged, transaction } from '#runtime/door/rpc.ts';
import { placeAgreed, prepareAgreed, shipAgreed } from './agreed.ts';
import type { FollowUps } from './follow_up.ts';
import type { OrderPlacement, PlacementParts } from './placement.ts';

const variantsOf = ({ lines }: OrderPlacement): string[] => lines.map(({ variant_id }) => variant_id);

export const agreedOrderHandlers = (
  { log }: Pick<Foundation, 'log'>,
  parts: Pick<PlacementParts, 'neighbours' | 'numbers' | 'hold'> & { readonly followUps: FollowUps },
): Handlers<AgreedOrderRpcs> => ({
  PlaceAgreedOrder: staged<PlaceAgreedOrderRequest, PlaceAgreedOrderResponse, OrderPlacement>({
    prepare: (call, input) => prepareAgreed(parts, call, input),
    run: async (tx, call, input, placement) => {
      const { attempt, origin } = placement;
      tx.afterCommit(() =>
        parts.followUps
          .follow(call, [{ id: input.order_id, attempt, origin, variants: variantsOf(placement) }])
          .catch((problem) => log.debug({ err: problem }, 'what follows an order is done a little later')),
      );
      return placeAgreed(tx, call.tenant, input, placement);
    },
    undo: (call, placement) => parts.neighbours.release(call, placement.attempt, variantsOf(placement)),
  }),

  ShipAgreedOrder: transaction((tx, { tenant }, input) => shipAgreed(tx, tenant, input)),
});
