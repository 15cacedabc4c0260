// Requests for quotes, open until a quote is accepted or the request is cancelled. Pure.
import type { Rfq, RfqItemInput } from '#proto/gen/rfq.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { toMajor, toMinor } from '#values/money.ts';
import { mergeByVariant } from './item.ts';

export interface RfqLine {
  readonly variant_id: string;
  readonly quantity: number;
  readonly target_unit_price: number | null;
}

export interface RfqRecord {
  readonly id: string;
  readonly number: number;
  readonly customer_id: string;
  readonly status: Rfq['status'];
  readonly items: readonly RfqLine[];
  readonly currency: string;
  readonly note: string | null;
  readonly created_at: Date;
}

export const parseRfqItems = (items: readonly RfqItemInput[], currency: Currency): readonly RfqLine[] | Refusal => {
  const lines: RfqLine[] = [];
  for (const [at, { variant_id, quantity, target_unit_price: target = null }] of items.entries()) {
    const price = target === null ? null : toMinor(target, currency);
    if (target !== null && price === null) return badAmount(`items[${at}].target_unit_price`, target, currency);
    lines.push({ variant_id: variant_id.toLowerCase(), quantity, target_unit_price: price });
  }
  return mergeByVariant(lines, 'target_unit_price');
};

export const rfqDocument = (rfq: RfqRecord): Rfq => {
  const currency = currencyOf(rfq.currency);
  return {
    id: rfq.id,
    rfq_number: `RFQ-${rfq.number}`,
    status: rfq.status,
    customer_id: rfq.customer_id,
    items: rfq.items.map(({ variant_id, quantity, target_unit_price: target }) => ({
      variant_id,
      quantity,
      target_unit_price: target === null ? null : toMajor(target, currency),
    })),
    note: rfq.note,
    created_at: rfq.created_at.toISOString(),
  };
};

export const cancellationRefusal = ({ status }: Pick<RfqRecord, 'status'>): Refusal | null =>
  status === 'submitted'
    ? null
    : refuse('conflict', `This request for a quote is ${status}; only a submitted one can be cancelled.`);

export const quotingRefusal = ({ status }: Pick<RfqRecord, 'status'>): Refusal | null =>
  status === 'submitted' || status === 'quoted'
    ? null
    : refuse('conflict', `This request for a quote is ${status} and can no longer be quoted.`, { param: 'rfq_id' });
