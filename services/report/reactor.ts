// Counts orders on their events, and on the refunds that a payment provider started.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { InboxEvent } from '#runtime/postgres/inbox_transaction.ts';
import { lockSums, recount } from './recount.ts';
import { COUNTED_EVENTS, saveProgress } from './table/progress.ts';

/** An order that is placed and paid within it is counted once; reports may trail by a moment. */
const GATHER_MS = 1_000;

type CountedEvent = (typeof COUNTED_EVENTS)[number];

const orderOf = (event: EventEnvelope<CountedEvent>): string | null => {
  if (event.type !== 'payment.refunded') return event.data.object.id;
  return 'order_id' in event.data.object ? event.data.object.order_id : null;
};

const countArrivals = async (tx: Transaction, arrivals: readonly InboxEvent<CountedEvent>[]): Promise<void> => {
  const ofTenants = Map.groupBy(arrivals, ({ tenant }) => tenantKey(tenant));
  // Locks tenants in one sequence, so that two transactions never wait for each other.
  for (const [, own] of [...ofTenants].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const tenant: Tenant = own[0]!.tenant;
    await lockSums(tx.sql, tenant);
    await recount(tx.sql, tenant, [...new Set(own.flatMap(({ event }) => orderOf(event) ?? []))]);
    const last = own.reduce((a, b) => (a.event.sequence > b.event.sequence ? a : b)).event;
    await saveProgress(tx.sql, tenant, { sequence: last.sequence, countedAt: new Date(last.created_at) });
  }
};

export const startReactor = ({ postgres, bus, namespace, log }: Runtime): Inbox =>
  startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'report',
    types: COUNTED_EVENTS,
    gatherMs: GATHER_MS,
    // A second count of an order changes nothing.
    repeatable: () => true,
    handleAll: countArrivals,
  });
