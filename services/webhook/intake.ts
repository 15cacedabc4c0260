// Creates a delivery of each logged event for each endpoint that subscribes to its type.
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventHead } from '#runtime/event/batch.ts';
import { eventTime } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { isEventType } from './document.ts';
import { createDeliveries, type DeliveredEvent } from './table/delivery.ts';
import { scheduleQueues } from './table/queue.ts';

export const INTAKE = 'webhook_log';

const deliveredEvent = ({ tenant, id, type, sequence }: EventHead, now: Date): DeliveredEvent => {
  const createdAt = eventTime(id);
  // Bounded by our clock: another host's may be ahead, and no event waits for that.
  return { ...tenant, id, type, sequence, at: createdAt < now ? createdAt : now };
};

export const startIntake = (runtime: Runtime, onDeliveriesCreated: () => void): Inbox => {
  const { postgres, bus, namespace, log, clock } = runtime;

  /** Selects markers and events with a subscriber: most tenants have no endpoint, which costs no transaction. */
  const due = (heads: readonly EventHead[]): readonly EventHead[] =>
    heads.filter(({ type, followed }) => followed || !isEventType(type));

  const hearAll = async (tx: Transaction, heads: readonly EventHead[]): Promise<void> => {
    const events = heads.filter(({ type }) => isEventType(type));
    if (events.length === 0) return;
    const dueQueues = await createDeliveries(
      tx.sql,
      events.map((head) => deliveredEvent(head, clock.now(head.tenant))),
    );
    if (dueQueues.length === 0) return;
    await scheduleQueues(tx.sql, dueQueues);
    tx.afterCommit(onDeliveriesCreated);
  };

  // Repeatable: a delivery is created once, however often its event arrives.
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
