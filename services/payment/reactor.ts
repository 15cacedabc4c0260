// Reacts to order events: sends refunds that a crash interrupted, cancels open payments of cancelled orders, and voids
// authorised payments of cancelled or paid orders.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { Authorizations } from './authorization.ts';
import type { Refunds } from './refund.ts';
import type { Superseding } from './supersede.ts';

export const startRefundReactor = ({ postgres, bus, namespace, log }: Runtime, refunds: Refunds): Inbox =>
  startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'payment_refund',
    types: ['order.refunded'],
    handle: async (tx, event, tenant) => {
      const { id, refund } = event.data.object;
      if (id !== null && refund?.status === 'pending') await refunds.schedule(tx, tenant, id, refund.id);
    },
  });

export const startCancellationReactor = (
  { postgres, bus, namespace, log }: Runtime,
  superseding: Superseding,
  authorizations: Authorizations,
): Inbox =>
  startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'payment_cancellation',
    types: ['order.cancelled', 'order.paid'],
    handle: async (tx, event, tenant) => {
      const { id } = event.data.object;
      if (id === null) return;
      if (event.type === 'order.cancelled') await superseding.cancel(tx, tenant, id);
      await authorizations.release(tx, tenant, id);
    },
  });
