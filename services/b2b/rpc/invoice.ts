// The door of invoices: the store issues, notes what was paid and takes back; the buyer reads and prints.
import type { WholesaleRpcs } from '#proto/gen/b2b.ts';
import { notFound, Refusal, Rendered } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { changedFields } from '#runtime/event/change.ts';
import { bill, withLines, withoutLines } from '#services/b2b/billing.ts';
import {
  amountObstacle,
  type InvoiceRecord,
  invoiceDocument,
  invoiceObstacle,
  invoiceOf,
  openObstacle,
} from '#services/b2b/invoice.ts';
import type { WholesaleNeighbours } from '#services/b2b/neighbour.ts';
import { page } from '#services/b2b/page.ts';
import { invoicePaper } from '#services/b2b/paper/paper.ts';
import type { Printer } from '#services/b2b/paper/printer.ts';
import { endInvoice, findInvoice, holdInvoice, insertInvoice, pageOfInvoices } from '#services/b2b/table/invoice.ts';
import { nextNumber } from '#services/b2b/table/owner.ts';
import { findPurchaseOrder, holdPurchaseOrder, setInvoiced } from '#services/b2b/table/purchase_order.ts';
import { receiveInvoice } from '#services/ledger/index.ts';

type InvoiceRpc = 'CreateInvoice' | 'ListInvoices' | 'GetInvoice' | 'PrintInvoice' | 'PayInvoice' | 'VoidInvoice';

export const invoiceHandlers = (
  { clock, log }: Pick<Runtime, 'clock' | 'log'>,
  neighbours: WholesaleNeighbours,
  printer: Printer,
): Pick<Handlers<WholesaleRpcs>, InvoiceRpc> => ({
  // Under the purchase order's lock: two invoices at once never come to more than it.
  CreateInvoice: transaction(async (tx, { tenant }, { purchase_order_id, items }) => {
    const order = await holdPurchaseOrder(tx.sql, tenant, null, purchase_order_id);
    if (order === null) return notFound('purchase order', 'purchase_order_id');
    const obstacle = invoiceObstacle(order);
    if (obstacle) return obstacle;
    const lines = bill(order.items, order.invoiced, items ?? null);
    if (lines instanceof Refusal) return lines;
    const now = tx.clock.now(tenant);
    const invoice = invoiceOf(order, await nextNumber(tx.sql, tenant, 'invoice'), lines, now);
    await insertInvoice(tx.sql, tenant, invoice);
    await setInvoiced(tx.sql, tenant, { id: order.id, invoiced: withLines(order.invoiced, lines) });
    const object = invoiceDocument(invoice, now);
    await tx.emit(tenant, [{ type: 'b2b.invoice.issued', object }]);
    return { data: object };
  }),

  ListInvoices: query((sql, call, input) => {
    const now = clock.now(call.tenant);
    return page(
      'invoices',
      call,
      input,
      (...wanted) => pageOfInvoices(sql, call.tenant, ...wanted, now),
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
    const [store, sender] = await Promise.all([neighbours.store(call), neighbours.sender(call)]);
    return new Rendered(await printer.print(invoicePaper({ invoice, order, store, sender, now: clock.now(tenant) })));
  }),

  PayInvoice: transaction(async (tx, { tenant }, { id, amount, reference = null }) => {
    const invoice = await holdInvoice(tx.sql, tenant, id);
    if (invoice === null) return notFound('invoice');
    const obstacle = openObstacle(invoice, 'paid') ?? amountObstacle(invoice, { amount });
    if (obstacle) return obstacle;
    const now = tx.clock.now(tenant);
    const paid: InvoiceRecord = { ...invoice, status: 'paid', paid_at: now, reference };
    await endInvoice(tx.sql, tenant, paid);
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
      neighbours
        .settleOrder({ tenant }, order)
        .catch((problem) => log.debug({ err: problem }, 'an order is told of its paid invoice a little later')),
    );
    return { data: object };
  }),

  VoidInvoice: transaction(async ({ sql, clock: time }, { tenant }, { id }) => {
    const found = await findInvoice(sql, tenant, null, id);
    if (found === null) return notFound('invoice');
    const order = await holdPurchaseOrder(sql, tenant, null, found.purchase_order_id);
    const invoice = await holdInvoice(sql, tenant, id);
    if (!invoice || !order) return notFound('invoice');
    const obstacle = openObstacle(invoice, 'void');
    if (obstacle) return obstacle;
    const ended: InvoiceRecord = { ...invoice, status: 'void' };
    await endInvoice(sql, tenant, ended);
    await setInvoiced(sql, tenant, { id: order.id, invoiced: withoutLines(order.invoiced, invoice.items) });
    return { data: invoiceDocument(ended, time.now(tenant)) };
  }),
});
