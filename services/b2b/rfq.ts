// A request for a quote: what a buyer wants of what, until a quote of it is accepted or it is wanted no more. Pure.
import type { Rfq, RfqItemInput } from '#proto/gen/rfq.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { toMajor, toMinor } from '#values/money.ts';
import { onePriceEach } from './item.ts';

export interface RfqLine {
  readonly variant_id: string;
  readonly quantity: number;
  /** In minor units. */
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

/** The items of a body; a variant named twice is one line. */
export const readRfqItems = (items: readonly RfqItemInput[], currency: Currency): readonly RfqLine[] | Refusal => {
  const lines: RfqLine[] = [];
  for (const [at, { variant_id, quantity, target_unit_price: target = null }] of items.entries()) {
    const price = target === null ? null : toMinor(target, currency);
    if (target !== null && price === null)
      return refuse('invalid_request', `\`target_unit_price\` must have at most ${currency.exponent} decimals.`, {
        param: `items[${at}].target_unit_price`,
      });
    lines.push({ variant_id: variant_id.toLowerCase(), quantity, target_unit_price: price });
  }
  return onePriceEach(lines, 'target_unit_price');
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

/** Null: it may be cancelled. */
export const cancelObstacle = ({ status }: Pick<RfqRecord, 'status'>): Refusal | null =>
  status === 'submitted' ? null : refuse('conflict', `A request for a quote that is ${status} cannot be cancelled.`);

/** Null: a quote may be sent for it. */
export const quoteObstacle = ({ status }: Pick<RfqRecord, 'status'>): Refusal | null =>
  status === 'submitted' || status === 'quoted'
    ? null
    : refuse('conflict', `A request that is ${status} is not quoted any more.`, { param: 'rfq_id' });
