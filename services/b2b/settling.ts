// What follows a paid invoice: its order is told, which reads on the books how much of it is paid. The call that pays does
// so at once; the event of each repairs what a crash left.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { WholesaleNeighbours } from './neighbour.ts';
import { findInvoice } from './table/invoice.ts';

export const startSettling = (
  { postgres, bus, namespace, log }: Pick<Runtime, 'postgres' | 'bus' | 'namespace' | 'log'>,
  neighbours: Pick<WholesaleNeighbours, 'settleOrder'>,
): Inbox => {
  const settle = async (tenant: Tenant, id: string): Promise<void> => {
    const invoice = await findInvoice(postgres.sql, tenant, null, id);
    if (invoice !== null) await neighbours.settleOrder({ tenant }, invoice.order_id);
  };
  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'b2b_paid',
    types: ['b2b.invoice.paid'],
    handle: async (_tx, event, tenant) => {
      const { id } = event.data.object;
      if (id !== null) await settle(tenant, id);
    },
  });
};
