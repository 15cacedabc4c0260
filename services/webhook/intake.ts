// Creates the deliveries of each logged event: one for each endpoint that subscribes to its type.
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
  // Capped at this host's clock: the clock of the host that wrote the event may be ahead, and the delivery must not
  // wait for it.
  return { ...tenant, id, type, sequence, at: createdAt < now ? createdAt : now };
};

export const startIntake = (runtime: Runtime, onDeliveriesCreated: () => void): Inbox => {
  const { postgres, bus, namespace, log, clock } = runtime;

  /**
   * Selects the events that need work: internal ones, and those with a subscriber. Most tenants have no endpoint and
   * then cost no transaction.
   */
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

  // An event may be handled twice: its deliveries are created only once.
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
