// Publishes `b2b.invoice.overdue` for invoices past their due date by the tenant's clock. Whether an invoice is overdue
// does not depend on this job.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { invoiceDocument } from './invoice.ts';
import { type DueInvoice, markOverduePublished, overdueInvoices } from './table/invoice.ts';

const CHECK_INTERVAL_MS = 1_000;
const BATCH_MAX = 200;

const publishOverdue = async (tx: Transaction, tenant: Tenant, id: string): Promise<boolean> => {
  const invoice = await markOverduePublished(tx.sql, tenant, id);
  if (invoice === null) return false;
  const object = invoiceDocument(invoice, tx.clock.now(tenant));
  await tx.emit(tenant, [{ type: 'b2b.invoice.overdue', object, previousAttributes: { status: 'issued' } }]);
  return true;
};

type OverdueRuntime = Pick<Runtime, 'postgres' | 'clock'>;

const publishAllOverdue = async ({ postgres, clock }: OverdueRuntime): Promise<void> => {
  const due: DueInvoice[] = [...(await overdueInvoices(postgres.sql, new Date(clock.real()), null, BATCH_MAX))];
  for (const tenant of clock.moved())
    due.push(...(await overdueInvoices(postgres.sql, clock.now(tenant), tenant, BATCH_MAX)));
  for (const { store, environment, id } of due)
    await postgres.transaction((tx) => publishOverdue(tx, { store, environment }, id));
};

export const invoicesDue: SharedDue = {
  list: async (sql, tenant, until, max) => {
    const invoices = await overdueInvoices(sql, new Date(until), tenant, max);
    return invoices.map(({ id, overdue_at }) => ({ id, at: overdue_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => ({
    types: (await publishOverdue(tx, tenant, id)) ? ['b2b.invoice.overdue'] : [],
  }),
};

export const startOverdue = (runtime: OverdueRuntime & Pick<Runtime, 'log'>): (() => void) =>
  repeatedly({
    everyMs: CHECK_INTERVAL_MS,
    able: () => runtime.postgres.available,
    resting: {
      ...runtime,
      nextDue: async (until) => (await overdueInvoices(runtime.postgres.sql, until, null, 1))[0]?.overdue_at ?? null,
    },
    work: () => publishAllOverdue(runtime),
    failed: (error) => runtime.log.warn({ err: error }, 'failed to publish overdue invoices'),
  });
