// The lines of a new order: merged, looked up and priced, each with the body's field that named it.
import { randomUUIDv7 } from 'bun';
import type { CreateOrderRequest, OrderItemRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import { type Call, invalid, notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import { noLongerSold } from '#services/commerce/shared_refusal.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import type { OrderClients } from './client.ts';
import type { LineRecord } from './order.ts';

type UnpricedLine = Omit<LineRecord, 'unit_price' | 'subtotal' | 'discount' | 'tax_amount' | 'total'>;

export interface UnpricedLines {
  readonly lines: readonly UnpricedLine[];
  readonly needsShipping: boolean;
}

/**
 * Refuses a variant that the catalogue does not have: `not_found` if the body named it, else (cart, quote, intent) no
 * longer sold.
 */
const unsoldRefusal = ({ variant, quantity, param }: RequestedLine): Refusal =>
  param.endsWith('variant_id') ? notFound('variant', param) : noLongerSold({ variant_id: variant, quantity }, param);

export const lookUpLines = async (
  clients: Pick<OrderClients, 'findVariants'>,
  call: Call,
  requested: readonly RequestedLine[],
): Promise<UnpricedLines | Refusal> => {
  const variants = await clients.findVariants(
    call,
    requested.map(({ variant }) => variant),
  );
  let shipped = false;
  const lines: UnpricedLine[] = [];
  for (const each of requested) {
    const { variant, quantity } = each;
    const found = variants.get(variant);
    if (!found?.is_active) return unsoldRefusal(each);
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
      quantity_shipped: 0,
      quantity_returned: 0,
      quantity_returned_unshipped: 0,
      quantity_restocked: 0,
    });
  }
  return { lines, needsShipping: shipped };
};

export const pricedLines = (
  lines: readonly UnpricedLine[],
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

export interface RequestedLine {
  readonly variant: string;
  readonly quantity: number;
  readonly param: string;
}

const QUANTITY_MAX = 1_000_000;

const SOURCES = ['items', 'cart', 'checkout_intent_id', 'quote_id'] as const;
export type BasketSource = (typeof SOURCES)[number];

export const sourceOf = (input: CreateOrderRequest): BasketSource | Refusal => {
  const named = SOURCES.filter((name) => (name === 'cart' ? input.cart === true : Boolean(input[name])));
  const [source] = named;
  if (named.length === 1) return source!;
  return refuse(
    'invalid_request',
    `Send exactly one of \`items\`, \`cart\`, \`checkout_intent_id\` and \`quote_id\`, not ${named.length}.`,
    {
      param: named[1] ?? 'items',
    },
  );
};

/**
 * Merges lines of one variant into the first of them. `list` is the body's field with the lines; `at` is the index of a
 * line in it.
 */
export const mergeLines = (
  list: 'items' | 'lines',
  lines: Iterable<readonly [at: number, line: OrderItemRequest]>,
): readonly RequestedLine[] | Refusal => {
  const merged = new Map<string, RequestedLine>();
  for (const [at, { variant_id, quantity }] of lines) {
    const variant = variant_id.toLowerCase();
    const before = merged.get(variant);
    const sum = (before?.quantity ?? 0) + quantity;
    if (sum > QUANTITY_MAX)
      return invalid(
        `${list}[${at}].quantity`,
        `At most ${QUANTITY_MAX} units of a variant can be ordered at once; this order has ${sum}.`,
      );
    merged.set(variant, { variant, quantity: sum, param: before?.param ?? `${list}[${at}].variant_id` });
  }
  return [...merged.values()];
};
