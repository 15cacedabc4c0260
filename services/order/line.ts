// The lines of an order in the making: each variant as it is called now, then what it costs.
import { randomUUIDv7 } from 'bun';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import { type Call, notFound, type Refusal } from '#runtime/call/call.ts';
import { noLongerSold } from '#services/commerce/stored_line.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import type { Wanted } from './basket.ts';
import type { OrderNeighbours } from './neighbour.ts';
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
