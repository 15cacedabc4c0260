// Follow-up of committed orders: their holds are committed and their carts closed. The host that placed them does so at
// once; the inbox of `order.created` repeats it after a crash.
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventHead } from '#runtime/event/batch.ts';
import { eventSuffix } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { OrderClients } from './client.ts';
import type { OrderRecord } from './order.ts';
import type { Origins } from './origin.ts';
import type { PreparedOrder } from './preparation.ts';
import { findFollowUp } from './table/order.ts';

export interface CommittedOrder extends Pick<OrderRecord, 'id' | 'attempt' | 'origin'> {
  readonly variants: readonly string[];
}

export interface FollowUps {
  /** Idempotent, for orders of one tenant. Throws where a step failed. */
  complete(call: Pick<Call, 'tenant'>, orders: readonly CommittedOrder[]): Promise<void>;
  /** Logs a failure instead of throwing, since the inbox repeats it. */
  completeAfterCommit(tx: Transaction, call: Pick<Call, 'tenant'>, orders: readonly CommittedOrder[]): void;
  /** Whether this process completed the order of an event a short while ago. Waits for a completion in flight. */
  isDone(suffix: string): Promise<boolean>;
}

export const committedOrder = (id: string, { attempt, origin, lines }: PreparedOrder): CommittedOrder => ({
  id,
  attempt,
  origin,
  variants: lines.map(({ variant_id }) => variant_id),
});

/** The random half of an order's id, which its event's id shares. */
export const eventSuffixOf = (order: string): string => order.replaceAll('-', '').slice(16);

/** More than a process places while an event is in flight. */
const REMEMBERED_MAX = 20_000;

export const openFollowUps = (
  { log }: Pick<Runtime, 'log'>,
  clients: Pick<OrderClients, 'commitHolds'>,
  origins: Pick<Origins, 'convertCart'>,
): FollowUps => {
  const done = new Set<string>();
  const inFlight = new Map<string, Promise<void>>();

  const remember = (suffix: string): void => {
    if (done.size >= REMEMBERED_MAX) done.delete(done.values().next().value!);
    done.add(suffix);
  };

  const complete: FollowUps['complete'] = async (call, orders) => {
    const committed = clients.commitHolds(
      call,
      orders.map(({ attempt, variants }) => ({ hold: attempt, variants })),
    );
    const outcomes = await Promise.allSettled(
      orders.map(async ({ id, origin }) => {
        const suffix = eventSuffixOf(id);
        const completion = Promise.all([committed, origins.convertCart(call, origin)]).then(() => remember(suffix));
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
