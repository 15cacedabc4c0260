// Refunds that orders have recorded, heard of by their events: what a crash kept from being sent is sent then.
import type { Foundation } from '#runtime/door/foundation.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { Refunds } from './refund.ts';

export const startReactor = ({ postgres, bus, namespace, log }: Foundation, refunds: Refunds): Inbox =>
  startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'payment_refund',
    types: ['order.refunded'],
    handle: async (tx, event, tenant) => {
      const { id, refund } = event.data.object;
      if (id !== null && refund?.status === 'pending') await refunds.expect(tx, tenant, id, refund.id);
    },
  });
