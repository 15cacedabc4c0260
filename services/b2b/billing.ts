// Calculates the lines of an invoice: units not yet invoiced, with a share of each of their taxes. The invoices of a
// purchase order add up to exactly its total, even after some were voided. Pure; amounts are in minor units.
import { randomUUIDv7 } from 'bun';
import type { InvoicedItemRequest } from '#proto/gen/invoice.ts';
import { counted, notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import type { AgreedLine } from './agreement.ts';

/** Invoiced units of an item, and the invoiced amount of each of its taxes in the sequence of `AgreedLine.taxes`. */
export interface InvoicedQuantity {
  readonly quantity: number;
  readonly taxes: readonly number[];
}

export type Invoiced = Readonly<Record<string, InvoicedQuantity>>;

export interface InvoiceLine extends AgreedLine {
  readonly item_id: string;
}

const invoicedOf = (invoiced: Invoiced, { id, taxes }: AgreedLine): InvoicedQuantity =>
  invoiced[id] ?? { quantity: 0, taxes: taxes.map(() => 0) };

const shareOf = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

const lineOf = (item: AgreedLine, billed: InvoicedQuantity, quantity: number): InvoiceLine => {
  const left = item.quantity - billed.quantity;
  return {
    ...item,
    id: randomUUIDv7(),
    item_id: item.id,
    quantity,
    total: quantity * item.unit_price,
    taxes: item.taxes.map((tax, at) => ({ ...tax, amount: shareOf(tax.amount - billed.taxes[at]!, quantity, left) })),
  };
};

export const invoiceLines = (
  items: readonly AgreedLine[],
  invoiced: Invoiced,
  requested: readonly InvoicedItemRequest[] | null,
): readonly InvoiceLine[] | Refusal => {
  if (requested === null) {
    const lines = items
      .map((item) => ({ item, billed: invoicedOf(invoiced, item) }))
      .filter(({ item, billed }) => billed.quantity < item.quantity)
      .map(({ item, billed }) => lineOf(item, billed, item.quantity - billed.quantity));
    return lines.length > 0 ? lines : refuse('conflict', 'Every item of the purchase order is already invoiced.');
  }
  const lines: InvoiceLine[] = [];
  for (const [at, { item_id, quantity }] of requested.entries()) {
    const item = items.find(({ id }) => id === item_id.toLowerCase());
    if (!item) return notFound('item', `items[${at}].item_id`);
    if (lines.some((line) => line.item_id === item.id))
      return refuse('invalid_request', '`item_id` appears twice. Send each item once.', {
        param: `items[${at}].item_id`,
      });
    const billed = invoicedOf(invoiced, item);
    if (quantity > item.quantity - billed.quantity)
      return refuse(
        'conflict',
        `Only ${counted(item.quantity - billed.quantity, 'unit')} of this item can be invoiced, not ${quantity}. Send a lower quantity.`,
        { param: `items[${at}].quantity` },
      );
    lines.push(lineOf(item, billed, quantity));
  }
  return lines;
};

const adjust = (invoiced: Invoiced, lines: readonly InvoiceLine[], sign: 1 | -1): Invoiced => {
  const after: Record<string, InvoicedQuantity> = { ...invoiced };
  for (const line of lines) {
    const before = after[line.item_id];
    after[line.item_id] = {
      quantity: (before?.quantity ?? 0) + sign * line.quantity,
      taxes: line.taxes.map(({ amount }, at) => (before?.taxes[at] ?? 0) + sign * amount),
    };
  }
  return after;
};

export const addLines = (invoiced: Invoiced, lines: readonly InvoiceLine[]): Invoiced => adjust(invoiced, lines, 1);

export const removeLines = (invoiced: Invoiced, lines: readonly InvoiceLine[]): Invoiced => adjust(invoiced, lines, -1);
