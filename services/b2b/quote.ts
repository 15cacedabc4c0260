// Quotes, a store's offers to one buyer: status and API document. Pure; amounts are in minor units.

import type { AddressInput } from '#proto/gen/shared.ts';
import type { AgreedItem, WholesaleQuote } from '#proto/gen/wholesale_quote.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { wholeAddress } from '#services/commerce/address.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { AgreedLine, PaymentTerms, Totals } from './agreement.ts';

export interface QuoteRecord extends Totals {
  readonly id: string;
  readonly number: number;
  readonly rfq_id: string | null;
  readonly customer_id: string;
  /** Status as stored; a `sent` quote counts as expired once the tenant's clock passes `valid_until`. */
  readonly status: Exclude<WholesaleQuote['status'], 'expired'>;
  readonly currency: string;
  readonly tax_inclusive: boolean;
  readonly items: readonly AgreedLine[];
  readonly payment_terms: PaymentTerms;
  readonly shipping_address: AddressInput | null;
  readonly note: string | null;
  readonly reason: string | null;
  readonly valid_until: Date;
  readonly created_at: Date;
}

export const quoteStatus = (
  { status, valid_until }: Pick<QuoteRecord, 'status' | 'valid_until'>,
  now: Date,
): WholesaleQuote['status'] => (status === 'sent' && valid_until <= now ? 'expired' : status);

export const decisionRefusal = (quote: QuoteRecord, now: Date): Refusal | null => {
  const status = quoteStatus(quote, now);
  return status === 'sent'
    ? null
    : refuse('conflict', `This quote is ${status}; only a sent quote can be accepted or rejected.`);
};

export const itemDocument = (line: AgreedLine, currency: Currency): AgreedItem => ({
  id: line.id,
  variant_id: line.variant_id,
  quantity: line.quantity,
  unit_price: toMajor(line.unit_price, currency),
  total: toMajor(line.total, currency),
});

export const totalsDocument = ({ subtotal, tax_amount, total }: Totals, currency: Currency): Totals => ({
  subtotal: toMajor(subtotal, currency),
  tax_amount: toMajor(tax_amount, currency),
  total: toMajor(total, currency),
});

export const quoteDocument = (quote: QuoteRecord, now: Date): WholesaleQuote => {
  const currency = currencyOf(quote.currency);
  return {
    id: quote.id,
    quote_number: `Q-${quote.number}`,
    rfq_id: quote.rfq_id,
    customer_id: quote.customer_id,
    status: quoteStatus(quote, now),
    currency: quote.currency,
    items: quote.items.map((line) => itemDocument(line, currency)),
    ...totalsDocument(quote, currency),
    payment_terms: quote.payment_terms,
    valid_until: quote.valid_until.toISOString(),
    shipping_address: quote.shipping_address && wholeAddress(quote.shipping_address),
    note: quote.note,
    reason: quote.reason,
    created_at: quote.created_at.toISOString(),
  };
};
