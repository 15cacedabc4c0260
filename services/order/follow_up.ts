// What follows an order once it is committed: its pieces leave what is held, its cart, quote or intent is closed. Whoever
// placed it does so at once; the event of it repairs what a crash left.
import type { Call } from '#runtime/call.ts';
import type { Neighbours } from './neighbour.ts';
import type { OrderRecord } from './order.ts';
import type { Origins } from './source.ts';

export interface Followed extends Pick<OrderRecord, 'id' | 'attempt' | 'origin'> {
  readonly variants: readonly string[];
}

export interface FollowUps {
  /** Does both, whatever becomes of either; throws where one was not done. As often as needed. */
  follow(call: Pick<Call, 'tenant'>, order: Followed): Promise<void>;
  /** Whether all of it was done here, a short while ago. */
  isDone(order: string): boolean;
}

/** More than are placed here in the time that an event is under way. */
const REMEMBERED_MAX = 20_000;

export const openFollowUps = (neighbours: Neighbours, origins: Origins): FollowUps => {
  const done = new Set<string>();

  return {
    async follow(call, { id, attempt, origin, variants }) {
      const outcomes = await Promise.allSettled([
        neighbours.commit(call, attempt, variants),
        origins.placed(call, origin, id),
      ]);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      if (done.size >= REMEMBERED_MAX) done.delete(done.values().next().value!);
      done.add(id);
    },
    isDone: (order) => done.has(order),
  };
};
