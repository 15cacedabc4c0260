// The basket of a new order: its lines, merged and priced, and where the body named them.
import { randomUUIDv7 } from 'bun';
import type { CreateOrderRequest, OrderItemRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import { type Call, notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import { noLongerSold } from '#services/commerce/stored_line.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import type { OrderNeighbours } from './client.ts';
import type { LineRecord } from './order.ts';

/** A line before it is priced. */
type BareLine = Omit<LineRecord, 'unit_price' | 'subtotal' | 'discount' | 'tax_amount' | 'total'>;

export interface BareLines {
  readonly lines: readonly BareLine[];
  /** Whether any of it is sent. */
  readonly shipped: boolean;
}

/** What the body names is not found; what a cart, a quote or an intent holds was there. */
const unsold = ({ variant, quantity, param }: Wanted): Refusal =>
  param.endsWith('variant_id') ? notFound('variant', param) : noLongerSold({ variant_id: variant, quantity }, param);

/** Refuses what is not sold. */
export const readLines = async (
  neighbours: Pick<OrderNeighbours, 'variants'>,
  call: Call,
  wanted: readonly Wanted[],
): Promise<BareLines | Refusal> => {
  const variants = await neighbours.variants(
    call,
    wanted.map(({ variant }) => variant),
  );
  let shipped = false;
  const lines: BareLine[] = [];
  for (const each of wanted) {
    const { variant, quantity } = each;
    const found = variants.get(variant);
    if (!found?.is_active) return unsold(each);
    shipped ||= found.requires_shipping;
    lines.push({
      id: randomUUIDv7(),
      product_id: found.product_id,
      variant_id: variant,
      name: found.name,
      variant_name: found.variant_name,
      sku: found.sku,
      quantity,
      requires_shipping: found.requires_shipping,
      quantity_fulfilled: 0,
      quantity_returned: 0,
      quantity_withdrawn: 0,
      quantity_restocked: 0,
    });
  }
  return { lines, shipped };
};

export const pricedLines = (
  lines: readonly BareLine[],
  { lines: costs }: Pick<PriceBasketResponse, 'lines'>,
  currency: Currency,
): readonly LineRecord[] =>
  lines.map((line, at) => {
    const { unit_price, subtotal, discount, tax_amount, total } = costs[at]!;
    return {
      ...line,
      unit_price: fromMajor(unit_price, currency),
      subtotal: fromMajor(subtotal, currency),
      discount: fromMajor(discount, currency),
      tax_amount: fromMajor(tax_amount, currency),
      total: fromMajor(total, currency),
    };
  });

export interface Wanted {
  readonly variant: string;
  readonly quantity: number;
  /** Where the body names it, for a refusal. */
  readonly param: string;
}

export const LINES_MAX = 500;
export const QUANTITY_MAX = 1_000_000;

const SOURCES = ['items', 'cart', 'checkout_intent_id', 'quote_id'] as const;
export type BasketSource = (typeof SOURCES)[number];

/** "exactly one of items, session_id / customer_id's cart (cart: true), checkout_intent_id, quote_id" */
export const sourceOf = (input: CreateOrderRequest): BasketSource | Refusal => {
  const named = SOURCES.filter((name) => (name === 'cart' ? input.cart === true : Boolean(input[name])));
  const [source] = named;
  if (named.length === 1) return source!;
  return refuse('invalid_request', 'Exactly one of `items`, `cart`, `checkout_intent_id` and `quote_id` is needed.', {
    param: named[1] ?? 'items',
  });
};

/** A variant named twice is one line, where it was named first. */
export const mergeItems = (items: readonly OrderItemRequest[]): readonly Wanted[] | Refusal => {
  const merged = new Map<string, Wanted>();
  for (const [at, { variant_id, quantity }] of items.entries()) {
    const variant = variant_id.toLowerCase();
    const before = merged.get(variant);
    const sum = (before?.quantity ?? 0) + quantity;
    if (sum > QUANTITY_MAX)
      return refuse('invalid_request', `At most ${QUANTITY_MAX} pieces of a variant can be ordered at once.`, {
        param: `items[${at}].quantity`,
      });
    merged.set(variant, { variant, quantity: sum, param: before?.param ?? `items[${at}].variant_id` });
  }
  return [...merged.values()];
};
