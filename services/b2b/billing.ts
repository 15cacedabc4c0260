// What of a purchase order goes on an invoice: pieces that are on no other one, and of each of their taxes a part, so that
// all invoices together are exactly the purchase order, whatever was void in between. Pure; amounts are in minor units.
import { randomUUIDv7 } from 'bun';
import type { InvoicedItemRequest } from '#proto/gen/invoice.ts';
import { notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import type { AgreedLine } from './agreement.ts';

/** What of an item is on invoices: pieces, and of each of its taxes, in their order, how much. */
export interface Billed {
  readonly quantity: number;
  readonly taxes: readonly number[];
}

/** By the item's id; what is on none is left out. */
export type Invoiced = Readonly<Record<string, Billed>>;

export interface InvoiceLine extends AgreedLine {
  /** The purchase order's item. */
  readonly item_id: string;
}

const billedOf = (invoiced: Invoiced, { id, taxes }: AgreedLine): Billed =>
  invoiced[id] ?? { quantity: 0, taxes: taxes.map(() => 0) };

/** Half up. */
const shareOf = (amount: number, part: number, whole: number): number =>
  Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));

const lineOf = (item: AgreedLine, billed: Billed, quantity: number): InvoiceLine => {
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

/** Null: all that is on no invoice. */
export const bill = (
  items: readonly AgreedLine[],
  invoiced: Invoiced,
  wanted: readonly InvoicedItemRequest[] | null,
): readonly InvoiceLine[] | Refusal => {
  if (wanted === null) {
    const lines = items
      .map((item) => ({ item, billed: billedOf(invoiced, item) }))
      .filter(({ item, billed }) => billed.quantity < item.quantity)
      .map(({ item, billed }) => lineOf(item, billed, item.quantity - billed.quantity));
    return lines.length > 0 ? lines : refuse('conflict', 'All of the purchase order is on invoices.');
  }
  const lines: InvoiceLine[] = [];
  for (const [at, { item_id, quantity }] of wanted.entries()) {
    const item = items.find(({ id }) => id === item_id.toLowerCase());
    if (!item) return notFound('item', `items[${at}].item_id`);
    if (lines.some((line) => line.item_id === item.id))
      return refuse('invalid_request', 'This item is named twice.', { param: `items[${at}].item_id` });
    const billed = billedOf(invoiced, item);
    if (quantity > item.quantity - billed.quantity)
      return refuse('conflict', 'That is more than is left of this item.', { param: `items[${at}].quantity` });
    lines.push(lineOf(item, billed, quantity));
  }
  return lines;
};

const moved = (invoiced: Invoiced, lines: readonly InvoiceLine[], sign: 1 | -1): Invoiced => {
  const after: Record<string, Billed> = { ...invoiced };
  for (const line of lines) {
    const before = after[line.item_id];
    after[line.item_id] = {
      quantity: (before?.quantity ?? 0) + sign * line.quantity,
      taxes: line.taxes.map(({ amount }, at) => (before?.taxes[at] ?? 0) + sign * amount),
    };
  }
  return after;
};

export const withLines = (invoiced: Invoiced, lines: readonly InvoiceLine[]): Invoiced => moved(invoiced, lines, 1);

export const withoutLines = (invoiced: Invoiced, lines: readonly InvoiceLine[]): Invoiced => moved(invoiced, lines, -1);
