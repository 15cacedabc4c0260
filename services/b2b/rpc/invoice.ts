// The rpc handlers of invoices.
import type { WholesaleRpcs } from '#proto/gen/b2b.ts';
import { notFound, Refusal, Rendered } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { changedFields } from '#runtime/event/event.ts';
import { addLines, invoiceLines, removeLines } from '#services/b2b/billing.ts';
import type { WholesaleClients } from '#services/b2b/client.ts';
import {
  amountRefusal,
  closedRefusal,
  type InvoiceRecord,
  invoiceDocument,
  invoiceOf,
  invoicingRefusal,
} from '#services/b2b/invoice.ts';
import { listPage } from '#services/b2b/page.ts';
import { invoiceContent } from '#services/b2b/pdf/content.ts';
import type { PdfWorker } from '#services/b2b/pdf/worker.ts';
import { nextNumber } from '#services/b2b/table/clause.ts';
import { closeInvoice, findInvoice, insertInvoice, listInvoices, lockInvoice } from '#services/b2b/table/invoice.ts';
import { findPurchaseOrder, lockPurchaseOrder, setInvoiced } from '#services/b2b/table/purchase_order.ts';
import { receiveInvoice } from '#services/ledger/index.ts';

type InvoiceRpc = 'CreateInvoice' | 'ListInvoices' | 'GetInvoice' | 'PrintInvoice' | 'PayInvoice' | 'VoidInvoice';

export const invoiceHandlers = (
  { clock, log }: Pick<Runtime, 'clock' | 'log'>,
  clients: WholesaleClients,
  printer: PdfWorker,
): Pick<Handlers<WholesaleRpcs>, InvoiceRpc> => ({
  // Locks the purchase order, so that concurrent invoices never exceed its quantities.
  CreateInvoice: transaction(async (tx, { tenant }, { purchase_order_id, items }) => {
    const order = await lockPurchaseOrder(tx.sql, tenant, null, purchase_order_id);
    if (order === null) return notFound('purchase order', 'purchase_order_id');
    const refusal = invoicingRefusal(order);
    if (refusal) return refusal;
    const lines = invoiceLines(order.items, order.invoiced, items ?? null);
    if (lines instanceof Refusal) return lines;
    const now = tx.clock.now(tenant);
    const invoice = invoiceOf(order, await nextNumber(tx.sql, tenant, 'invoice'), lines, now);
    await insertInvoice(tx.sql, tenant, invoice);
    await setInvoiced(tx.sql, tenant, { id: order.id, invoiced: addLines(order.invoiced, lines) });
    const object = invoiceDocument(invoice, now);
    await tx.emit(tenant, [{ type: 'b2b.invoice.issued', object }]);
    return { data: object };
  }),

  ListInvoices: query((sql, call, input) => {
    const now = clock.now(call.tenant);
    return listPage(
      'invoices',
      call,
      input,
      (...wanted) => listInvoices(sql, call.tenant, ...wanted, now),
      (invoice) => invoiceDocument(invoice, now),
    );
  }),

  GetInvoice: query(async (sql, { tenant, customer }, { id }) => {
    const invoice = await findInvoice(sql, tenant, customer, id);
    return invoice === null ? notFound('invoice') : { data: invoiceDocument(invoice, clock.now(tenant)) };
  }),

  PrintInvoice: query(async (sql, call, { id }) => {
    const { tenant, customer } = call;
    const invoice = await findInvoice(sql, tenant, customer, id);
    const order = invoice && (await findPurchaseOrder(sql, tenant, customer, invoice.purchase_order_id));
    if (!invoice || !order) return notFound('invoice');
    const [store, sender] = await Promise.all([clients.store(call), clients.sender(call)]);
    return new Rendered(
      await printer.render(invoiceContent({ invoice, order, store, sender, now: clock.now(tenant) })),
    );
  }),

  PayInvoice: transaction(async (tx, { tenant }, { id, amount, reference = null }) => {
    const invoice = await lockInvoice(tx.sql, tenant, id);
    if (invoice === null) return notFound('invoice');
    const refusal = closedRefusal(invoice, 'paid') ?? amountRefusal(invoice, { amount });
    if (refusal) return refusal;
    const now = tx.clock.now(tenant);
    const paid: InvoiceRecord = { ...invoice, status: 'paid', paid_at: now, reference };
    await closeInvoice(tx.sql, tenant, paid);
    const { order_id: order, currency, total } = invoice;
    if (total > 0)
      await receiveInvoice(tx, tenant, {
        invoice: invoice.id,
        order,
        currency,
        amount: total,
        reason: reference ?? undefined,
      });
    const object = invoiceDocument(paid, now);
    const previousAttributes = changedFields(invoiceDocument(invoice, now), object);
    await tx.emit(tenant, [{ type: 'b2b.invoice.paid', object, previousAttributes }]);
    tx.afterCommit(() =>
      clients
        .settleOrder({ tenant }, order)
        .catch((error) =>
          log.debug({ err: error }, 'failed to settle the order of a paid invoice; the event settles it'),
        ),
    );
    return { data: object };
  }),

  VoidInvoice: transaction(async ({ sql, clock: time }, { tenant }, { id }) => {
    const found = await findInvoice(sql, tenant, null, id);
    if (found === null) return notFound('invoice');
    const order = await lockPurchaseOrder(sql, tenant, null, found.purchase_order_id);
    const invoice = await lockInvoice(sql, tenant, id);
    if (!invoice || !order) return notFound('invoice');
    const refusal = closedRefusal(invoice, 'void');
    if (refusal) return refusal;
    const ended: InvoiceRecord = { ...invoice, status: 'void' };
    await closeInvoice(sql, tenant, ended);
    await setInvoiced(sql, tenant, { id: order.id, invoiced: removeLines(order.invoiced, invoice.items) });
    return { data: invoiceDocument(ended, time.now(tenant)) };
  }),
});
