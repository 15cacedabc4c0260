// Tells of invoices that pass their due date, by the clock of their tenant. That they read `overdue` needs no telling.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { invoiceDocument } from './invoice.ts';
import { type DueInvoice, noteOverdue, overdueInvoices } from './table/invoice.ts';

const LOOK_MS = 1_000;
const AT_ONCE = 200;

/** Whether there was something to tell. */
const tell = async (tx: Transaction, tenant: Tenant, id: string): Promise<boolean> => {
  const invoice = await noteOverdue(tx.sql, tenant, id);
  if (invoice === null) return false;
  const object = invoiceDocument(invoice, tx.clock.now(tenant));
  await tx.emit(tenant, [{ type: 'b2b.invoice.overdue', object, previousAttributes: { status: 'issued' } }]);
  return true;
};

type Parts = Pick<Runtime, 'postgres' | 'clock'>;

/** Sends `b2b.invoice.overdue` for each invoice that is due. */
const tellOverdue = async ({ postgres, clock }: Parts): Promise<void> => {
  const due: DueInvoice[] = [...(await overdueInvoices(postgres.sql, new Date(clock.real()), null, AT_ONCE))];
  for (const tenant of clock.moved())
    due.push(...(await overdueInvoices(postgres.sql, clock.now(tenant), tenant, AT_ONCE)));
  for (const { store, environment, id } of due)
    await postgres.transaction((tx) => tell(tx, { store, environment }, id));
};

/** The same for a sandbox that travels through time. */
export const invoicesDue: SharedDue = {
  list: async (sql, tenant, until, max) => {
    const invoices = await overdueInvoices(sql, new Date(until), tenant, max);
    return invoices.map(({ id, overdue_at }) => ({ id, at: overdue_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => ({ types: (await tell(tx, tenant, id)) ? ['b2b.invoice.overdue'] : [] }),
};

/** Looks every second. Returns how to stop. */
export const startOverdue = (runtime: Parts & Pick<Runtime, 'log'>): (() => void) =>
  repeatedly({
    everyMs: LOOK_MS,
    able: () => runtime.postgres.available,
    resting: {
      ...runtime,
      nextDue: async (until) => (await overdueInvoices(runtime.postgres.sql, until, null, 1))[0]?.overdue_at ?? null,
    },
    work: () => tellOverdue(runtime),
    failed: (problem) => runtime.log.warn({ err: problem }, 'overdue invoices were not told of'),
  });
