// What follows an order, at least once: its holds are committed and its cart is closed. The call that
// placed it does the same at once; this repairs what a crash left.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Head } from '#runtime/event/batch.ts';
import { suffixOf } from '#runtime/event/id.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { FollowUps } from './follow_up.ts';
import { findFollowUp } from './table/order.ts';

export const startReactor = (runtime: Runtime, followUps: FollowUps): Inbox => {
  const { postgres, bus, namespace, log } = runtime;

  const due = async (heads: readonly Head[]): Promise<readonly Head[]> => {
    const done = await Promise.all(heads.map(({ id }) => followUps.isDone(suffixOf(id))));
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
