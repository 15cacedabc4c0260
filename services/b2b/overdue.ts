// Publishes `b2b.invoice.overdue` for invoices past their due date by the tenant's clock. Whether an invoice is overdue
// does not depend on this job.
import type { Tenant } from '#runtime/call/call.ts';
import type { ListedDue } from '#runtime/domain/due.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { invoiceDocument } from './invoice.ts';
import { markOverduePublished, overdueInvoices } from './table/invoice.ts';

const publishOverdue = async (tx: Transaction, tenant: Tenant, id: string): Promise<boolean> => {
  const invoice = await markOverduePublished(tx.sql, tenant, id);
  if (invoice === null) return false;
  const object = invoiceDocument(invoice, tx.clock.now(tenant));
  await tx.emit(tenant, [{ type: 'b2b.invoice.overdue', object, previousAttributes: { status: 'issued' } }]);
  return true;
};

export const invoicesDue: ListedDue = {
  name: 'overdue invoices',
  list: overdueInvoices,
  fire: async (tx, { tenant, id }) => ({
    types: (await publishOverdue(tx, tenant, id)) ? ['b2b.invoice.overdue'] : [],
  }),
};
