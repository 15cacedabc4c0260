// Purchase orders, which a buyer places from an accepted quote: transitions and API document. Pure; amounts are in
// minor units.
import { randomUUIDv7 } from 'bun';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { ANSWER_RETENTION_MS } from '#runtime/postgres/answer_row.ts';
import { wholeAddress } from '#services/commerce/address.ts';
import { currencyOf } from '#values/currency.ts';
import type { AgreedLine, PaymentTerms, Totals } from './agreement.ts';
import type { Invoiced } from './billing.ts';
import { itemDocument, type QuoteRecord, totalsDocument } from './quote.ts';

export interface PurchaseOrderRecord extends Totals {
  readonly id: string;
  readonly quote_id: string;
  readonly customer_id: string;
  readonly email: string;
  readonly buyer_name: string | null;
  readonly po_number: string;
  readonly status: PurchaseOrder['status'];
  readonly currency: string;
  readonly tax_inclusive: boolean;
  readonly items: readonly AgreedLine[];
  readonly payment_terms: PaymentTerms;
  readonly shipping_address: AddressInput;
  readonly billing_address: AddressInput | null;
  readonly order_id: string | null;
  readonly confirmed_by: string | null;
  readonly confirmed_at: Date | null;
  readonly fulfilled_by: string | null;
  readonly fulfilled_at: Date | null;
  readonly invoiced: Invoiced;
  readonly invoice_ids: readonly string[];
  readonly created_at: Date;
}

export interface PurchaseOrderInput {
  readonly po_number: string;
  readonly email: string;
  readonly buyer_name: string | null;
  readonly shipping_address: AddressInput;
  readonly billing_address: AddressInput | null;
}

export const issuePurchaseOrder = (quote: QuoteRecord, issue: PurchaseOrderInput, now: Date): PurchaseOrderRecord => ({
  ...issue,
  id: randomUUIDv7(),
  quote_id: quote.id,
  customer_id: quote.customer_id,
  status: 'issued',
  currency: quote.currency,
  tax_inclusive: quote.tax_inclusive,
  items: quote.items.map((line) => ({ ...line, id: randomUUIDv7() })),
  subtotal: quote.subtotal,
  tax_amount: quote.tax_amount,
  total: quote.total,
  payment_terms: quote.payment_terms,
  order_id: null,
  confirmed_by: null,
  confirmed_at: null,
  fulfilled_by: null,
  fulfilled_at: null,
  invoiced: {},
  invoice_ids: [],
  created_at: now,
});

const REQUIRED_STATUS = { confirm: 'issued', fulfill: 'confirmed', cancel: 'issued' } as const;
const RESULT_STATUS = { confirm: 'confirmed', fulfill: 'fulfilled', cancel: 'cancelled' } as const;

export const transitionRefusal = (
  { status }: Pick<PurchaseOrderRecord, 'status'>,
  action: keyof typeof REQUIRED_STATUS,
): Refusal | null =>
  status === REQUIRED_STATUS[action]
    ? null
    : refuse('conflict', `This purchase order is ${status} and cannot be ${RESULT_STATUS[action]}.`);

/**
 * Returns whether the same command made this transition before: then this is a retry. Older than the retention of
 * answers, an equal key is a new command.
 */
export const wasDoneBy = (by: string | null, at: Date | null, command: string, now: Date): boolean =>
  by === command && at !== null && now.getTime() - at.getTime() < ANSWER_RETENTION_MS;

export const purchaseOrderDocument = (order: PurchaseOrderRecord): PurchaseOrder => {
  const currency = currencyOf(order.currency);
  return {
    id: order.id,
    quote_id: order.quote_id,
    po_number: order.po_number,
    status: order.status,
    currency: order.currency,
    ...totalsDocument(order, currency),
    payment_terms: order.payment_terms,
    created_at: order.created_at.toISOString(),
    customer_id: order.customer_id,
    items: order.items.map((line) => itemDocument(line, currency)),
    shipping_address: wholeAddress(order.shipping_address),
    billing_address: order.billing_address && wholeAddress(order.billing_address),
    order_id: order.order_id,
    invoice_ids: order.invoice_ids,
  };
};
