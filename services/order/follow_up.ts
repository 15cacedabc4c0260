// Follow-up of committed orders: their holds are committed and their carts closed. The host that placed them does so at
// once; the inbox of `order.created` repeats it after a crash.
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventHead } from '#runtime/event/batch.ts';
import { eventSuffix } from '#runtime/event/id.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { OrderNeighbours } from './client.ts';
import type { OrderRecord } from './order.ts';
import type { Origins } from './origin.ts';
import { findFollowUp } from './table/order.ts';

export const startReactor = (runtime: Runtime, followUps: FollowUps): Inbox => {
  const { postgres, bus, namespace, log } = runtime;

  const due = async (heads: readonly EventHead[]): Promise<readonly EventHead[]> => {
    const done = await Promise.all(heads.map(({ id }) => followUps.isDone(eventSuffix(id))));
    return heads.filter((_, at) => !done[at]);
  };

  const follow = async (tenant: Tenant, id: string): Promise<void> => {
    const order = await findFollowUp(postgres.sql, tenant, id);
    if (order !== null) await followUps.follow({ tenant }, [{ id, ...order }]);
  };

  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'order_placed',
    types: ['order.created'],
    due,
    repeatable: () => true,
    handle: async (_tx, event, tenant) => {
      const { id } = event.data.object;
      if (id !== null) await follow(tenant, id);
    },
  });
};

export interface Followed extends Pick<OrderRecord, 'id' | 'attempt' | 'origin'> {
  readonly variants: readonly string[];
}

export interface FollowUps {
  /** Does all of it for orders of one tenant; throws where something was not done. As often as needed. */
  follow(call: Pick<Call, 'tenant'>, orders: readonly Followed[]): Promise<void>;
  /** Whether all of it was done here, a short while ago; what is under way here is waited for. */
  isDone(mark: string): Promise<boolean>;
}

/** By which an order is known in the id of the event that tells of it: the random half of its own id. */
export const markOf = (order: string): string => order.replaceAll('-', '').slice(16);

/** More than are placed here in the time that an event is under way. */
const REMEMBERED_MAX = 20_000;

export const openFollowUps = (neighbours: OrderNeighbours, origins: Origins): FollowUps => {
  const done = new Set<string>();
  const underWay = new Map<string, Promise<void>>();

  const remember = (mark: string): void => {
    if (done.size >= REMEMBERED_MAX) done.delete(done.values().next().value!);
    done.add(mark);
  };

  return {
    async follow(call, orders) {
      const committed = neighbours.commit(
        call,
        orders.map(({ attempt, variants }) => ({ hold: attempt, variants })),
      );
      const outcomes = await Promise.allSettled(
        orders.map(async ({ id, origin }) => {
          const mark = markOf(id);
          const doing = Promise.all([committed, origins.placed(call, origin)]).then(() => remember(mark));
          underWay.set(mark, doing);
          await doing.finally(() => underWay.delete(mark));
        }),
      );
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
    async isDone(mark) {
      await underWay.get(mark)?.catch(() => {});
      return done.has(mark);
    },
  };
};
