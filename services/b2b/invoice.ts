// Invoices: amounts, due dates, status and API document. Pure; amounts are in minor units.
import { randomUUIDv7 } from 'bun';
import type { Invoice, PayInvoiceRequest } from '#proto/gen/invoice.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { currencyOf } from '#values/currency.ts';
import { majorText, toMajor, toMinor } from '#values/money.ts';
import { type PaymentTerms, type Totals, totalsOf } from './agreement.ts';
import type { InvoiceLine } from './billing.ts';
import type { PurchaseOrderRecord } from './purchase_order.ts';
import { itemDocument, totalsDocument } from './quote.ts';

const DAY_MS = 86_400_000;

export const PAYMENT_DAYS: Readonly<Record<PaymentTerms, number>> = {
  due_on_receipt: 0,
  net_7: 7,
  net_15: 15,
  net_30: 30,
  net_60: 60,
  net_90: 90,
};

export interface InvoiceRecord extends Totals {
  readonly id: string;
  readonly number: number;
  readonly purchase_order_id: string;
  readonly order_id: string;
  readonly customer_id: string;
  /** Status as stored; an `issued` invoice counts as overdue once the tenant's clock passes `overdue_at`. */
  readonly status: Exclude<Invoice['status'], 'overdue'>;
  readonly currency: string;
  readonly tax_inclusive: boolean;
  readonly items: readonly InvoiceLine[];
  readonly payment_terms: PaymentTerms;
  readonly due_at: Date;
  readonly overdue_at: Date;
  readonly paid_at: Date | null;
  readonly reference: string | null;
  readonly created_at: Date;
}

export const invoicingRefusal = ({ status }: Pick<PurchaseOrderRecord, 'status'>): Refusal | null =>
  status === 'confirmed' || status === 'fulfilled'
    ? null
    : refuse('conflict', `This purchase order is ${status}; only a confirmed or fulfilled one can be invoiced.`, {
        param: 'purchase_order_id',
      });

/** Returns the due dates. With the terms `due_on_receipt` an invoice is due when issued and overdue a day later. */
const dueDates = (terms: PaymentTerms, issued: Date): Pick<InvoiceRecord, 'due_at' | 'overdue_at'> => {
  const due_at = new Date(issued.getTime() + PAYMENT_DAYS[terms] * DAY_MS);
  return { due_at, overdue_at: terms === 'due_on_receipt' ? new Date(due_at.getTime() + DAY_MS) : due_at };
};

export const invoiceOf = (
  order: PurchaseOrderRecord,
  number: number,
  items: readonly InvoiceLine[],
  now: Date,
): InvoiceRecord => ({
  id: randomUUIDv7(),
  number,
  purchase_order_id: order.id,
  order_id: order.order_id!,
  customer_id: order.customer_id,
  status: 'issued',
  currency: order.currency,
  tax_inclusive: order.tax_inclusive,
  items,
  ...totalsOf(items, order.tax_inclusive),
  payment_terms: order.payment_terms,
  ...dueDates(order.payment_terms, now),
  paid_at: null,
  reference: null,
  created_at: now,
});

export const invoiceStatus = (
  { status, overdue_at }: Pick<InvoiceRecord, 'status' | 'overdue_at'>,
  now: Date,
): Invoice['status'] => (status === 'issued' && overdue_at <= now ? 'overdue' : status);

export const closedRefusal = ({ status }: Pick<InvoiceRecord, 'status'>, what: 'paid' | 'void'): Refusal | null =>
  status === 'issued' ? null : refuse('conflict', `This invoice is ${status} and cannot be ${what}.`);

export const amountRefusal = (
  { currency: code, total }: Pick<InvoiceRecord, 'currency' | 'total'>,
  { amount }: Pick<PayInvoiceRequest, 'amount'>,
): Refusal | null => {
  const currency = currencyOf(code);
  return toMinor(amount, currency) === total
    ? null
    : refuse('amount_mismatch', '`amount` differs from the amount due of the invoice.', {
        param: 'amount',
        details: `The amount due is ${majorText(total, currency)} ${code}.`,
      });
};

export const invoiceNumber = ({ number }: Pick<InvoiceRecord, 'number'>): string => `INV-${number}`;

export const invoiceDocument = (invoice: InvoiceRecord, now: Date): Invoice => {
  const currency = currencyOf(invoice.currency);
  return {
    id: invoice.id,
    invoice_number: invoiceNumber(invoice),
    purchase_order_id: invoice.purchase_order_id,
    customer_id: invoice.customer_id,
    status: invoiceStatus(invoice, now),
    currency: invoice.currency,
    ...totalsDocument(invoice, currency),
    amount_due: invoice.status === 'issued' ? toMajor(invoice.total, currency) : 0,
    issued_at: invoice.created_at.toISOString(),
    due_at: invoice.due_at.toISOString(),
    paid_at: invoice.paid_at?.toISOString() ?? null,
    reference: invoice.reference,
    items: invoice.items.map((line) => ({ ...itemDocument(line, currency), item_id: line.item_id })),
  };
};
