// Wholesale: requests for quotes, quotes, purchase orders, invoices.
import type { Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Due, expiryDue, type ListedDue } from '#runtime/domain/due.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { type WholesaleClients, wholesaleClients } from './client.ts';
import { invoiceDocument } from './invoice.ts';
import { openPdfWorker } from './pdf/worker.ts';
import { invoiceHandlers } from './rpc/invoice.ts';
import { purchaseOrderHandlers } from './rpc/purchase_order.ts';
import { quoteHandlers } from './rpc/quote.ts';
import { rfqHandlers } from './rpc/rfq.ts';
import { wholesaleErasures } from './table/erasure.ts';
import { findInvoice, markOverduePublished, overdueInvoices } from './table/invoice.ts';
import { findQuoteExpiry } from './table/quote.ts';

/** Publishes the event alone: whether an invoice is overdue follows from its due date and the tenant's clock. */
const publishOverdue = async (tx: Transaction, tenant: Tenant, id: string): Promise<boolean> => {
  const invoice = await markOverduePublished(tx.sql, tenant, id);
  if (invoice === null) return false;
  const object = invoiceDocument(invoice, tx.clock.now(tenant));
  await tx.emit(tenant, [{ type: 'b2b.invoice.overdue', object, previousAttributes: { status: 'issued' } }]);
  return true;
};

const invoicesDue: ListedDue = {
  name: 'overdue invoices',
  list: overdueInvoices,
  fire: async (tx, { tenant, id }) => ({
    types: (await publishOverdue(tx, tenant, id)) ? ['b2b.invoice.overdue'] : [],
  }),
};

const startSettling = (
  { postgres, bus, namespace, log }: Pick<Runtime, 'postgres' | 'bus' | 'namespace' | 'log'>,
  clients: Pick<WholesaleClients, 'settleOrder'>,
): Inbox => {
  const settle = async (tenant: Tenant, id: string): Promise<void> => {
    const invoice = await findInvoice(postgres.sql, tenant, null, id);
    if (invoice !== null) await clients.settleOrder({ tenant }, invoice.order_id);
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

const quotesDue = ({ postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>): Due => {
  const find = (tenant: Tenant, from: number, until: number) =>
    findQuoteExpiry(postgres.sql, tenant, new Date(from), new Date(until));
  return expiryDue(clock, {
    type: 'b2b_quote',
    first: async (...span) => (await find(...span)).first?.getTime() ?? null,
    count: async (...span) => (await find(...span)).ended,
  });
};

export const b2b = (runtime: Runtime): Domain => {
  const clients = wholesaleClients(openDomainClient(runtime));
  const printer = openPdfWorker();
  const stops: (() => Promise<void> | void)[] = [printer.close];
  return {
    name: 'b2b',
    services: {
      Wholesale: {
        ...rfqHandlers(clients),
        ...quoteHandlers(runtime, clients),
        ...purchaseOrderHandlers(runtime, clients),
        ...invoiceHandlers(runtime, clients, printer),
      },
    },
    due: [quotesDue(runtime), invoicesDue],
    erasures: wholesaleErasures,
    personalRecords: ['invoice', 'purchase_order', 'quote'],
    reset: {
      tables: {
        'b2b.number': 'cleared',
        'b2b.rfq': 'cleared',
        'b2b.quote': 'cleared',
        'b2b.purchase_order': 'cleared',
        'b2b.invoice': 'cleared',
      },
    },
    start: async () => {
      stops.push(startSettling(runtime, clients).stop);
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};
