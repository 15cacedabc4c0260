// Builds the text content of an invoice PDF. Pure.
import type { LocationAddress } from '#proto/gen/shipping_config.ts';
import type { StoreProfile } from '#proto/gen/store.ts';
import { taxOf } from '#services/b2b/agreement.ts';
import { type InvoiceRecord, invoiceNumber, invoiceStatus, PAYMENT_DAYS } from '#services/b2b/invoice.ts';
import type { PurchaseOrderRecord } from '#services/b2b/purchase_order.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { addressLines, countryName } from './address.ts';

export type LabelledText = readonly [label: string, text: string];

export interface ContentRow {
  readonly description: string;
  readonly sku: string;
  readonly quantity: string;
  readonly unit_price: string;
  readonly amount: string;
}

export interface PdfContent {
  readonly title: string;
  readonly details: readonly LabelledText[];
  readonly parties: readonly { readonly label: string; readonly lines: readonly string[] }[];
  readonly currency: string;
  readonly lines: readonly ContentRow[];
  readonly totals: readonly LabelledText[];
  /** Date of issue; fixed, so that equal content gives equal bytes. */
  readonly date: string;
  /** Countries of the readers, the buyer's first; they select regional variants of characters. */
  readonly countries: readonly string[];
}

const amountText = (minor: number, { exponent, ...currency }: Currency): string =>
  toMajor(minor, { exponent, ...currency }).toLocaleString('en-US', {
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });

const percent = (rate: number): string => `${Number((rate * 100).toFixed(4))}%`;

const taxesOf = ({ items }: Pick<InvoiceRecord, 'items'>): readonly (readonly [string, number])[] => {
  const sums = new Map<string, number>();
  for (const { taxes } of items)
    for (const { name, rate, amount } of taxes) {
      const label = `${name} ${percent(rate)}`;
      sums.set(label, (sums.get(label) ?? 0) + amount);
    }
  return [...sums];
};

const termsText = (terms: InvoiceRecord['payment_terms']): string =>
  terms === 'due_on_receipt' ? 'Due on receipt' : `Net ${PAYMENT_DAYS[terms]} days`;

const dayText = (date: Date, timezone: string): string => {
  const form = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  try {
    return date.toLocaleDateString('en-GB', { ...form, timeZone: timezone });
  } catch {
    return date.toLocaleDateString('en-GB', { ...form, timeZone: 'UTC' });
  }
};

const STATUS_TEXT = { issued: null, overdue: 'Overdue', paid: 'Paid', void: 'Void' } as const;

export interface InvoiceSource {
  readonly invoice: InvoiceRecord;
  readonly order: PurchaseOrderRecord;
  readonly store: StoreProfile;
  readonly sender: LocationAddress | null;
  readonly now: Date;
}

const sellerOf = ({ store, sender }: InvoiceSource): readonly string[] => {
  const place = sender ? addressLines(sender) : store.country ? [countryName(store.country)] : [];
  const contact = [store.contact_email, store.contact_phone, store.website_url].filter((line) => line !== null);
  return [store.name, ...place, ...contact];
};

const buyerOf = ({ order }: InvoiceSource): readonly string[] => {
  const address = order.billing_address ?? order.shipping_address;
  const named = address.company || address.first_name || address.last_name;
  return [...(named ? [] : [order.buyer_name ?? '']), ...addressLines(address), order.email].filter(Boolean);
};

export const invoiceContent = (source: InvoiceSource): PdfContent => {
  const { invoice, order, store, now } = source;
  const currency = currencyOf(invoice.currency);
  const text = (minor: number): string => amountText(minor, currency);
  const withCode = (minor: number): string => `${invoice.currency} ${text(minor)}`;
  const day = (date: Date): string => dayText(date, store.timezone);
  const state = STATUS_TEXT[invoiceStatus(invoice, now)];
  const taxes = taxesOf(invoice).map(
    ([label, sum]): LabelledText => [invoice.tax_inclusive ? `Including ${label}` : label, text(sum)],
  );
  const untaxed = invoice.items.every((line) => taxOf(line) === 0);
  return {
    title: 'Invoice',
    details: [
      ['Invoice number', invoiceNumber(invoice)],
      ['Date', day(invoice.created_at)],
      ['Due', day(invoice.due_at)],
      ['Payment terms', termsText(invoice.payment_terms)],
      ['Purchase order', order.po_number],
      ...(state === null ? [] : [['Status', invoice.paid_at ? `${state} on ${day(invoice.paid_at)}` : state] as const]),
    ],
    parties: [
      { label: 'Seller', lines: sellerOf(source) },
      { label: 'Bill to', lines: buyerOf(source) },
      { label: 'Ship to', lines: addressLines(order.shipping_address) },
    ],
    currency: invoice.currency,
    lines: invoice.items.map(({ name, variant_name, sku, quantity, unit_price, total }) => ({
      description: variant_name ? `${name}, ${variant_name}` : name,
      sku: sku ?? '',
      quantity: quantity.toLocaleString('en-US'),
      unit_price: text(unit_price),
      amount: text(total),
    })),
    totals: [
      ['Subtotal', text(invoice.subtotal)],
      ...(untaxed && taxes.length === 0 ? [['Tax', text(0)] as const] : taxes),
      ['Total', withCode(invoice.total)],
      ['Amount due', withCode(invoice.status === 'issued' ? invoice.total : 0)],
    ],
    date: invoice.created_at.toISOString(),
    countries: [order.billing_address?.country, order.shipping_address.country, store.country].filter(
      (country) => typeof country === 'string',
    ),
  };
};
