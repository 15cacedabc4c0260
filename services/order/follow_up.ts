// Follows up committed orders: commits their stock holds and closes their carts. The host that placed an order does so
// at once; after a crash the inbox of `order.created` does it again.
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventHead } from '#runtime/event/batch.ts';
import { eventSuffix } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { RecentMap } from '#values/recent_map.ts';
import type { OrderClients } from './client.ts';
import type { OrderRecord } from './order.ts';
import type { Origins } from './origin.ts';
import type { PreparedOrder } from './preparation.ts';
import { findFollowUp } from './table/order.ts';

export interface CommittedOrder extends Pick<OrderRecord, 'id' | 'attempt' | 'origin'> {
  readonly variants: readonly string[];
}

export interface FollowUps {
  /** Idempotent; takes orders of one tenant. Throws if a step failed. */
  complete(call: Pick<Call, 'tenant'>, orders: readonly CommittedOrder[]): Promise<void>;
  /** Completes the orders after the commit. Logs a failure instead of throwing, since the inbox tries again. */
  completeAfterCommit(tx: Transaction, call: Pick<Call, 'tenant'>, orders: readonly CommittedOrder[]): void;
  /**
   * Returns whether this process recently completed the order with this event suffix. Waits for a completion in
   * progress.
   */
  isDone(suffix: string): Promise<boolean>;
}

export const committedOrder = (id: string, { attempt, origin, lines }: PreparedOrder): CommittedOrder => ({
  id,
  attempt,
  origin,
  variants: lines.map(({ variant_id }) => variant_id),
});

/** Returns the random half of an order's id. The id of the event `order.created` ends in the same half. */
export const eventSuffixOf = (order: string): string => order.replaceAll('-', '').slice(16);

/** Exceeds the number of orders that a process places before the first one's event arrives. */
const REMEMBERED_MAX = 20_000;

export const openFollowUps = (
  { log }: Pick<Runtime, 'log'>,
  clients: Pick<OrderClients, 'commitHolds'>,
  origins: Pick<Origins, 'convertCart'>,
): FollowUps => {
  const done = new RecentMap<string, true>(REMEMBERED_MAX);
  const inFlight = new Map<string, Promise<void>>();

  const complete: FollowUps['complete'] = async (call, orders) => {
    const committed = clients.commitHolds(
      call,
      orders.map(({ attempt, variants }) => ({ hold: attempt, variants })),
    );
    const outcomes = await Promise.allSettled(
      orders.map(async ({ id, origin }) => {
        const suffix = eventSuffixOf(id);
        const completion = Promise.all([committed, origins.convertCart(call, origin)]).then(() => {
          done.set(suffix, true);
        });
        inFlight.set(suffix, completion);
        await completion.finally(() => inFlight.delete(suffix));
      }),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  };

  return {
    complete,
    completeAfterCommit: (tx, call, orders) =>
      tx.afterCommit(() =>
        complete(call, orders).catch((problem) =>
          log.debug({ err: problem }, 'failed to follow up committed orders; the inbox retries'),
        ),
      ),
    async isDone(suffix) {
      await inFlight.get(suffix)?.catch(() => {});
      return done.has(suffix);
    },
  };
};

export const startFollowUpInbox = (runtime: Runtime, followUps: FollowUps): Inbox => {
  const { postgres, bus, namespace, log } = runtime;

  const due = async (heads: readonly EventHead[]): Promise<readonly EventHead[]> => {
    const done = await Promise.all(heads.map(({ id }) => followUps.isDone(eventSuffix(id))));
    return heads.filter((_, at) => !done[at]);
  };

  const follow = async (tenant: Tenant, id: string): Promise<void> => {
    const order = await findFollowUp(postgres.sql, tenant, id);
    if (order !== null) await followUps.complete({ tenant }, [{ id, ...order }]);
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
