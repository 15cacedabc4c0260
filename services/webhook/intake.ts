// Every committed event becomes a row of its tenant's log, and a delivery to each endpoint that hears of its type.
import type { Foundation } from '#runtime/foundation.ts';
import { type Arrival, type Inbox, startInbox } from '#runtime/inbox.ts';
import type { Transaction } from '#runtime/transaction.ts';
import { isEventType } from './subscription.ts';
import { beginDeliveries } from './table/delivery.ts';
import { insertEvents, type NewEvent } from './table/event.ts';
import { callLanes } from './table/lane.ts';

/** The name under which the log notes in runtime.inbox what it has seen. */
export const INTAKE = 'webhook_log';

const readEvent = ({ tenant, event }: Arrival, now: Date): NewEvent => {
  const createdAt = new Date(event.created_at);
  // Another host's clock may be a little ahead: nobody waits for that.
  const at = createdAt < now ? createdAt : now;
  return { ...tenant, id: event.id, type: event.type, sequence: event.sequence, createdAt, at, payload: event.text };
};

export const startIntake = (foundation: Foundation, logged: (any: boolean) => void): Inbox => {
  const { postgres, bus, namespace, log, clock } = foundation;

  const handleAll = async (tx: Transaction, arrivals: readonly Arrival[]): Promise<void> => {
    const told = arrivals.filter(({ event }) => isEventType(event.type));
    if (told.length === 0) return;
    const events = told.map((arrival) => readEvent(arrival, clock.now(arrival.tenant)));
    await insertEvents(tx.sql, events, new Date(clock.real()));
    const calls = await beginDeliveries(tx.sql, events);
    await callLanes(tx.sql, calls);
    tx.afterCommit(() => logged(calls.length > 0));
  };

  return startInbox({ postgres, bus, namespace, log, name: INTAKE, types: ['*'], handleAll });
};
