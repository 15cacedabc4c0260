// Refunds that orders have recorded, heard of by their events: what a crash kept from being sent is sent then.
import type { Foundation } from '#runtime/foundation.ts';
import { type Inbox, startInbox } from '#runtime/inbox.ts';
import type { Refunds } from './refund.ts';

interface Refunded {
  readonly id?: unknown;
  readonly refund?: { readonly id?: unknown; readonly status?: unknown };
}

export const startReactor = ({ postgres, bus, namespace, log }: Foundation, refunds: Refunds): Inbox =>
  startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'payment_refund',
    types: ['order.refunded'],
    handle: async (tx, event, tenant) => {
      const { id, refund } = event.data.object as Refunded;
      if (typeof id === 'string' && typeof refund?.id === 'string' && refund.status === 'pending')
        await refunds.expect(tx, tenant, id, refund.id);
    },
  });
