// The door of a new order: prepared while no connection is held, placed in one transaction, followed up once committed.
import type { CreateOrderRequest, OrderRpcs, StoreOrder } from '#proto/gen/order.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Followed, FollowUps } from './follow_up.ts';
import type { OrderNeighbours } from './neighbour.ts';
import type { Origins } from './origin_reader.ts';
import { placeOrders, takesStockAlone } from './placing.ts';
import { letGo, type OrderPreparation, type PreparedOrder } from './preparation.ts';
import { AUTOMATIC_USED_UP } from './promotion_use.ts';

export interface CreateOrderParts {
  readonly neighbours: OrderNeighbours;
  readonly origins: Origins;
  readonly preparation: OrderPreparation;
  readonly followUps: FollowUps;
}

export const createOrderHandlers = (
  { log }: Pick<Runtime, 'log'>,
  { neighbours, origins, preparation, followUps }: CreateOrderParts,
): Pick<Handlers<OrderRpcs>, 'CreateOrder'> => {
  const followed = ({ attempt, origin, lines }: PreparedOrder, { id }: StoreOrder): Followed => ({
    id,
    attempt,
    origin,
    variants: lines.map(({ variant_id }) => variant_id),
  });

  /** What follows committed orders; what cannot be done now is done once their events are heard. */
  const follow = (call: Call, orders: readonly Followed[]): Promise<void> =>
    followUps
      .follow(call, orders)
      .catch((problem) => log.debug({ err: problem }, 'what follows an order is done a little later'));

  return {
    CreateOrder: staged<CreateOrderRequest, unknown, PreparedOrder>({
      prepare: async (call, input) => {
        const origin = await origins.read(call, input);
        return origin instanceof Refusal ? origin : preparation.prepare(call, input, origin);
      },
      run: async (tx, call, input, prepared) => {
        const placed = await placeOrders(tx, call.tenant, [{ input, prepared }]);
        if (placed instanceof Refusal) return placed;
        const [answer] = placed;
        tx.afterCommit(() => follow(call, [followed(prepared, answer!.order)]));
        return answer!;
      },
      together: {
        fits: takesStockAlone,
        run: async (tx, group) => {
          const { call } = group[0]!;
          const placings = group.map(({ input, prepared }) => ({ input, prepared }));
          const placed = await placeOrders(tx, call.tenant, placings);
          if (placed instanceof Refusal) return null;
          tx.afterCommit(() =>
            follow(
              call,
              group.map(({ prepared }, at) => followed(prepared, placed[at]!.order)),
            ),
          );
          return placed;
        },
      },
      overtaken: (refusal) => refusal === AUTOMATIC_USED_UP,
      owns: true,
      undo: (call, prepared) => letGo(neighbours, call, prepared),
    }) as Handlers<OrderRpcs>['CreateOrder'],
  };
};
