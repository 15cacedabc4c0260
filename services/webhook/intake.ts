// Every event of the log becomes a delivery to each endpoint that hears of its type.
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventHead } from '#runtime/event/batch.ts';
import { eventTime } from '#runtime/event/id.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { isEventType } from './subscription.ts';
import { beginDeliveries, type DeliveredEvent } from './table/delivery.ts';
import { callQueues } from './table/queue.ts';

/** The name under which it notes in runtime.inbox which marks it has met. */
export const INTAKE = 'webhook_log';

const beginningOf = ({ tenant, id, type, sequence }: EventHead, now: Date): DeliveredEvent => {
  const createdAt = eventTime(id);
  // Another host's clock may be a little ahead: no event waits for that.
  return { ...tenant, id, type, sequence, at: createdAt < now ? createdAt : now };
};

export const startIntake = (runtime: Runtime, began: () => void): Inbox => {
  const { postgres, bus, namespace, log, clock } = runtime;

  /** Marks, and what an endpoint of its tenant may hear: most tenants have none, which costs no transaction. */
  const due = (heads: readonly EventHead[]): readonly EventHead[] =>
    heads.filter(({ type, followed }) => followed || !isEventType(type));

  const hearAll = async (tx: Transaction, heads: readonly EventHead[]): Promise<void> => {
    const told = heads.filter(({ type }) => isEventType(type));
    if (told.length === 0) return;
    const calls = await beginDeliveries(
      tx.sql,
      told.map((head) => beginningOf(head, clock.now(head.tenant))),
    );
    if (calls.length === 0) return;
    await callQueues(tx.sql, calls);
    tx.afterCommit(began);
  };

  // A delivery is begun once, however often its event comes.
  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: INTAKE,
    types: ['*'],
    due,
    repeatable: isEventType,
    handleHeads: hearAll,
  });
};
